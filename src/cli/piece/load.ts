/** Loading the piece of a command: what is wrong with it is said on standard error. */
import { loadPiece } from '../../domain/piece/load.ts';
import type { Piece, PieceBundle } from '../../domain/piece/types.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import { openPieceFile } from '../../wire/piece-files.ts';
import { plainLine } from '../plain.ts';

/** Null when the piece cannot be used. `say`: whether warnings are told too. */
export async function loadForCommand(
  file: string,
  say: 'errors' | 'warnings',
): Promise<{ piece: Piece; bundle: PieceBundle } | null> {
  try {
    const bundle = await openPieceFile(file);
    const { piece, diagnostics } = loadPiece(bundle);
    for (const { line, column, level, message } of diagnostics) {
      if (level === 'error' || (say === 'warnings' && level === 'warning'))
        process.stderr.write(`${plainLine(`${file}:${line}:${column} ${level} ${message}`)}\n`);
    }
    return piece === null ? null : { piece, bundle };
  } catch (error) {
    if (!(error instanceof PermanentFailure)) throw error;
    process.stderr.write(`planwright: ${plainLine(error.message)} (${error.code})\n`);
    return null;
  }
}
