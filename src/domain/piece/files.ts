/** Which files a piece names (D9): they are stored with the run. */
import { plainValue } from './document.ts';
import { asList, asMap } from './loose.ts';
import { isFormatPath } from './paths.ts';
import { renameTwins } from './twins.ts';
import { readYaml } from './yaml.ts';

/** The agent files and report formats that a piece's text names, as written, each once. Never throws; of a broken text what can be read. */
export function namedFiles(text: string): string[] {
  const { root } = readYaml(text);
  if (root === null) return [];
  const piece = asMap(plainValue(renameTwins(root, { file: '', root: null, list: [], cut: false })));
  const found = new Set<string>();
  for (const item of asList(piece['movements'])) {
    for (const movement of [item, ...asList(asMap(item)['parallel'])]) {
      add(found, asMap(movement)['agent']);
      const format = asMap(asMap(movement)['report'])['format'];
      if (typeof format === 'string' && isFormatPath(format)) add(found, format);
    }
  }
  for (const monitor of asList(piece['loop_monitors'])) add(found, asMap(asMap(monitor)['judge'])['agent']);
  return [...found];
}

function add(found: Set<string>, path: unknown): void {
  if (typeof path === 'string' && path.trim() !== '') found.add(path.trim());
}
