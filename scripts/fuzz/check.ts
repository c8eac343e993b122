/** What must hold of every text that is given as a piece: findings with places, never an exception, and what loads can be used. */
import { namedFiles } from '../../src/domain/piece/files.ts';
import { lintPiece } from '../../src/domain/piece/lint.ts';
import { loadPiece } from '../../src/domain/piece/load.ts';
import { renderGraph } from '../../src/domain/piece/mermaid.ts';
import type { Diagnostic, PieceBundle } from '../../src/domain/piece/types.ts';

export interface Checked {
  loaded: boolean;
  findings: number;
}

const AGENT = 'Be careful.';

/** @throws whatever goes wrong, with what must hold. */
export function checkFile(text: string): Checked {
  const files = Object.fromEntries(namedFiles(text).map((file) => [file, AGENT]));
  const bundle: PieceBundle = { name: 'fuzz', file: 'fuzz.yaml', text, files };
  const lint = lintPiece(bundle);
  for (const finding of lint) checkFinding(finding, text);
  const hasError = lint.some((finding) => finding.level === 'error');
  // Loading reads the text once more: of those with errors a fifth is enough.
  if (hasError && text.length % 5 !== 0) return { loaded: false, findings: lint.length };
  const { piece, diagnostics } = loadPiece(bundle);
  if ((piece === null) !== diagnostics.some((finding) => finding.level === 'error'))
    throw new Error('a piece is there if and only if there is no error');
  if (piece !== null && !renderGraph(piece).startsWith('stateDiagram-v2\n')) throw new Error('the graph is no diagram');
  return { loaded: piece !== null, findings: lint.length };
}

function checkFinding({ line, column, message, code }: Diagnostic, text: string): void {
  const lines = text.split(/\r\n|\n|\r/).length;
  if (!Number.isInteger(line) || line < 1 || line > lines + 1) throw new Error(`line ${line} of ${lines}: ${message}`);
  if (!Number.isInteger(column) || column < 1) throw new Error(`column ${column}: ${message}`);
  if (message === '' || !/^[a-z][a-z_-]*$/.test(code)) throw new Error(`a finding without words or code: ${code}`);
}
