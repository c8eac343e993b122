/** What the commands that only look at pieces need: no settings, no servers, a quick start. */
import { readPieceFile } from '../adapters/system/piece-folder.ts';
import type { PieceBundle } from '../domain/piece/types.ts';

/** A piece file of the command line with the files it names. @throws PermanentFailure that says what is wrong with the file. */
export function openPieceFile(file: string): Promise<PieceBundle> {
  return readPieceFile(file);
}
