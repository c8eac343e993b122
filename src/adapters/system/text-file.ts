import { readFile } from 'node:fs/promises';
import { PermanentFailure } from '../../ports/failures.ts';

/** A text file that a setting or a person names. @throws PermanentFailure `file_unreadable` that says which. */
export async function readTextFile(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new PermanentFailure('file_unreadable', `${file}: cannot be read (${code})`);
  }
}
