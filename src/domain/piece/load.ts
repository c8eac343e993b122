/** Loading a piece: all problems of the file at once, each with its place (spec 1: File). */
import { checkMeaning } from './check.ts';
import { type Findings, plainValue, report } from './document.ts';
import { routeGaps } from './lint-when.ts';
import { normalisePiece } from './normalise.ts';
import { checkShape } from './shape.ts';
import { renameTwins } from './twins.ts';
import type { Diagnostic, Piece, PieceBundle } from './types.ts';
import { type Located, readYaml } from './yaml.ts';

/** Findings that a broken file has only because a part of it could not be read. */
const FOLLOW_UPS = new Set([
  'missing_key',
  'empty_value',
  'empty_list',
  'unknown_next',
  'unknown_movement',
  'unknown_cycle',
  'missing_rule',
  'defaulted',
]);
const KANA = /[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]/;

export interface LoadOptions {
  /** The piece comes from a repository: its paths stay inside, and `~` is refused. */
  strictPaths?: boolean;
}

/**
 * Loads a piece with the files it names. `piece` is null if and only if there is an error among the diagnostics, which are
 * sorted by their place. Never throws, and takes time linear in the text.
 */
export function loadPiece(
  bundle: PieceBundle,
  options: LoadOptions = {},
): { piece: Piece | null; diagnostics: Diagnostic[] } {
  const { findings, piece } = readPiece(bundle, options);
  return { piece, diagnostics: sortedFindings(findings) };
}

/** As `loadPiece`, with the places kept, so that more can be reported about a piece that loaded. */
export function readPiece(bundle: PieceBundle, options: LoadOptions): { piece: Piece | null; findings: Findings } {
  const yaml = readYaml(bundle.text);
  const findings: Findings = { file: bundle.file, root: yaml.root, list: [], cut: false };
  for (const { code, column, line, message } of yaml.findings) {
    findings.list.push({ file: bundle.file, line, column, level: 'error', code, message });
  }
  if (yaml.root === null) return { piece: null, findings };
  const broken = firstSyntaxError(findings.list);
  const root = renameTwins(yaml.root, findings);
  findings.root = root;
  const value = plainValue(root);
  const file = checkShape(value, findings);
  if (root.kind === 'map') checkMeaning(value, findings, bundle.files, options.strictPaths ?? false);
  if (broken !== null) findings.list = findings.list.filter((finding) => standsBefore(finding, broken));
  const failed = file === null || findings.list.some((finding) => finding.level === 'error');
  const piece = failed ? null : normalisePiece(file, bundle.files, languageOf(root));
  return { piece: piece === null || hasGaps(piece, findings) ? null : piece, findings };
}

/** The findings by their place, each once; where not all were kept, the last one says so. */
export function sortedFindings(findings: Findings): Diagnostic[] {
  const seen = new Set<string>();
  const list = findings.list
    .filter((finding) => {
      const key = `${finding.line}:${finding.column}:${finding.code}:${finding.message}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
  const last = list.at(-1);
  if (!findings.cut || last === undefined) return list;
  const message = 'there are more findings than are shown; put these right first';
  return [...list, { ...last, level: 'notice', code: 'more_findings', message }];
}

/** A piece that replans must handle every declared value (spec 3). */
function hasGaps(piece: Piece, findings: Findings): boolean {
  if ((piece.teleports ?? []).length === 0) return false;
  const gaps = routeGaps(piece);
  for (const { message, path } of gaps) report(findings, 'error', 'unhandled_value', path, message, 'key');
  return gaps.length > 0;
}

function firstSyntaxError(list: Diagnostic[]): number | null {
  const lines = list.filter((finding) => finding.code === 'yaml_syntax').map((finding) => finding.line);
  return lines.length === 0 ? null : Math.min(...lines);
}

/** Behind a syntax error the file reads as something else than was meant: only what stands before it is told. */
function standsBefore(finding: Diagnostic, line: number): boolean {
  return finding.code === 'yaml_syntax' || (finding.line < line && !FOLLOW_UPS.has(finding.code));
}

/** `ja` when the piece's own texts contain kana. */
function languageOf(node: Located): 'en' | 'ja' {
  const hasKana = (part: Located): boolean => {
    if (part.kind === 'scalar') return typeof part.value === 'string' && KANA.test(part.value);
    if (part.kind === 'list') return part.items.some(hasKana);
    return part.entries.some((entry) => KANA.test(entry.key) || hasKana(entry.value));
  };
  return hasKana(node) ? 'ja' : 'en';
}
