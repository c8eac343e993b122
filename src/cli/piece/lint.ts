/** `planwright piece lint`: all findings of piece files, for people, editors and pipelines. */
import { parseArgs } from 'node:util';
import { lintPiece } from '../../domain/piece/lint.ts';
import type { Diagnostic } from '../../domain/piece/types.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import { openPieceFile } from '../../wire/piece-files.ts';
import type { Command } from '../command.ts';
import { plainLine } from '../plain.ts';

export const lintCommand: Command = {
  usage: 'piece lint FILE… [--json]',
  summary:
    'Reports all findings as FILE:LINE:COLUMN LEVEL MESSAGE; exit 1 when there is an error among them.\n--json prints an array of {file, line, column, level, code, message}.',
  async run(args) {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true });
    if (positionals.length === 0) {
      process.stderr.write(`planwright: expected at least one piece file.\nUsage: planwright ${this.usage}\n`);
      return 2;
    }
    const findings = (await Promise.all(positionals.map(lintFile))).flat();
    const lines = findings.map(lineOf).join('');
    process.stdout.write(values.json === true ? `${JSON.stringify(findings)}\n` : lines);
    return findings.some((finding) => finding.level === 'error') ? 1 : 0;
  },
};

/** A file that cannot be read is a finding of its own: the others are checked all the same. */
async function lintFile(file: string): Promise<Diagnostic[]> {
  try {
    const bundle = await openPieceFile(file);
    return lintPiece(bundle).map((finding) => inOrder({ ...finding, file }));
  } catch (error) {
    if (!(error instanceof PermanentFailure)) throw error;
    return [inOrder({ file, line: 1, column: 1, level: 'error', code: error.code, message: error.message })];
  }
}

/** The fields in the order in which they are documented. */
function inOrder({ file, line, column, level, code, message }: Diagnostic): Diagnostic {
  return { file, line, column, level, code, message };
}

function lineOf({ file, line, column, level, message }: Diagnostic): string {
  return `${plainLine(`${file}:${line}:${column} ${level} ${message}`)}\n`;
}
