import path from 'node:path';
import { findCycles } from './cycles.ts';
import {
  drivingEdges,
  ioModules,
  isListed,
  languagePackages,
  mayImport,
  type Place,
  placeOf,
  sandboxPackages,
  vendorHomes,
} from './places.ts';
import { type ImportFound, lineAt, type ScannedFile, scan } from './scan.ts';

const lineLimit = 300;
const limitedFolders = ['src', 'sandbox', 'scripts', 'workers', 'tests'];

// What makes a result depend on more than the arguments (D1).
const impure: readonly [RegExp, string][] = [
  [/\bDate\s*\.\s*now\b/g, 'Date.now'],
  [/\bnew\s+Date\s*(?:\(\s*\)|(?![\s(]))/g, 'new Date()'],
  [/(?<!new\s+)\bDate\s*\(/g, 'Date()'],
  [/\bMath\s*\.\s*random\b/g, 'Math.random'],
  [/(?<![.\w])process\s*\./g, 'process'],
  [/(?<![.\w])performance\s*\./g, 'performance'],
  [/(?<![.\w])crypto\s*\./g, 'crypto'],
  [/(?<![.\w])console\s*\./g, 'console'],
  [/(?<![.\w])fetch\s*\(/g, 'fetch'],
  [/(?<![.\w])(?:setTimeout|setInterval|setImmediate|queueMicrotask)\s*\(/g, 'a timer'],
];

/** Checks sources, given by their path in the project, against the rules of the house; every finding is one line. */
export function checkArchitecture(sources: ReadonlyMap<string, string>): string[] {
  const files = [...sources].map(([file, source]) => scan(file, source));
  const graph = new Map(
    files.map((file) => [file.path, file.imports.map((found) => target(file, found)).filter(isText)]),
  );
  const findings = files.flatMap((file) => [
    ...checkFile(file),
    ...file.imports.flatMap((found) => checkImport(file, found)),
  ]);
  const cycles = findCycles(graph).map((cycle) => `${cycle[0]}: import cycle: ${[...cycle, cycle[0]].join(' → ')}`);
  return [...findings, ...cycles];
}

function checkFile(file: ScannedFile): string[] {
  const findings: string[] = [];
  const place = placeOf(file.path);
  const [top] = file.path.split('/');
  if (limitedFolders.includes(top ?? '') && file.lines > lineLimit) {
    findings.push(`${file.path}: ${file.lines} lines, ${lineLimit} at most: split it by responsibility`);
  }
  if (place.kind === 'unknown') findings.push(`${file.path}: stands in no layer of the house`);
  if (path.basename(file.path) === 'index.ts' && file.imports.some((found) => found.reexport !== 'none')) {
    findings.push(`${file.path}: a barrel: import from the files themselves`);
  }
  if (place.kind === 'domain') {
    for (const [pattern, name] of impure)
      findings.push(...uses(file, pattern, `the domain is pure and does not use ${name}`));
  }
  if (place.kind !== 'outside' && place.kind !== 'sandbox' && place.name !== 'config') {
    findings.push(...uses(file, /(?<![.\w])process\s*\.\s*env\b/g, 'process.env is read in src/config.ts only'));
  }
  return findings;
}

function uses(file: ScannedFile, pattern: RegExp, message: string): string[] {
  return [...file.code.matchAll(pattern)].map((match) => `${file.path}:${lineAt(file.code, match.index)}: ${message}`);
}

function checkImport(file: ScannedFile, found: ImportFound): string[] {
  const place = placeOf(file.path);
  const local = target(file, found);
  const problems = local === undefined ? packageProblems(place, found.specifier) : localProblems(place, local);
  if (found.reexport === 'all') problems.push('export * hides where a name comes from');
  if (local !== undefined && !/\.\w+$/.test(found.specifier))
    problems.push('a local import names its file with the extension');
  return problems.map((problem) => `${file.path}:${found.line}: imports ${found.specifier}: ${problem}`);
}

function localProblems(place: Place, local: string): string[] {
  const other = placeOf(local);
  if (place.name === other.name) return [];
  if (mayImport[place.kind].includes(other.kind)) return [];
  if (drivingEdges.includes(place.name) && other.kind === 'app') return [];
  return [`${place.name} may not know ${other.name}`];
}

function packageProblems(place: Place, specifier: string): string[] {
  if (place.kind === 'outside') return [];
  const name = packageName(specifier);
  const homes = Object.entries(vendorHomes).find(([vendor]) => isListed(name, [vendor]))?.[1];
  if (name.startsWith('node:') && homes === undefined) return nodeProblems(place, name);
  if (place.kind === 'sandbox') {
    return isListed(name, sandboxPackages) ? [] : [`the sandbox uses ${sandboxPackages.join(', ')} only`];
  }
  if (isListed(name, languagePackages)) return [];
  if (homes === undefined) return ['a package without a home: give it one in tests/helpers/architecture/places.ts'];
  return homes.includes(place.name) ? [] : [`its home is ${homes.join(', ')}`];
}

function nodeProblems(place: Place, name: string): string[] {
  if (place.kind === 'domain' || place.kind === 'ports') return [`${place.name} uses no module of Node`];
  const module = name.slice('node:'.length).split('/')[0] ?? '';
  return place.kind === 'app' && ioModules.includes(module) ? ['use cases do no I/O of their own: ask a port'] : [];
}

/** The file of the project that an import names, undefined for a package. */
function target(file: ScannedFile, found: ImportFound): string | undefined {
  if (!found.specifier.startsWith('.')) return undefined;
  return path.posix.join(path.posix.dirname(file.path), found.specifier);
}

/** `@scope/name` or `name`, without a path inside the package; Node's modules always with `node:`. */
function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
