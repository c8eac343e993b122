/** Paths, dotted names and stack frames in an issue, and the files that they mean. */
import type { Segment } from './segments.ts';

export interface Mention {
  text: string;
  kind: 'path' | 'name' | 'frame';
  /** 1 for what is plainly named, less the further a frame is from where the error was raised. */
  weight: number;
}

const MAX_MENTIONS = 80;
/** Something with an ending that files of code have. */
const PATH =
  /(?<![\w@/\\.-])(?:[A-Za-z]:)?[\w@.+~$/\\[\]-]{0,240}[\w\])]\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyx?|pyi|go|rb|rake|erb|java|kts?|scala|groovy|cs|fs|vb|rs|cc|cpp|cxx|c|hh|hpp|hxx|h|mm|m|swift|php|phtml|pl|pm|t|lua|r|jl|exs?|erl|hs|mli?|cljs?|dart|sql|proto|graphql|coffee|el|s?css|less|styl|html?|haml|twig|tmpl|ya?ml|toml|json|ini|cfg|conf|xml|md|rst|txt|sh|bat|cmake|gradle|in|am|y|l|po|service|mk)(?![\w-])(?:(?::|\s*[(,]\s*(?:line\s+)?)(\d{1,6}))?/gi;
const FOLDER = /(?<![\w@/\\.:-])(?:[\w.-]{2,60}\/){1,10}[\w.-]{2,60}(?![\w/])/g;
const DOTTED = /(?<![\w./\\@-])[A-Za-z_]\w*(?:(?:\.|::|\\|->|#)[A-Za-z_]\w*){1,12}(?![\w/])/g;
const NAMED_FILE = /(?<![\w.])(?:Makefile|Dockerfile|Gemfile|Rakefile|CMakeLists|Jenkinsfile|Procfile)\b/g;

/** In the order of the text. Frames nearest to the raise weigh most: the first of a block, but of Python's the last. */
export function mentionsIn(segments: readonly Segment[]): Mention[] {
  const found: Mention[] = [];
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index];
    if (!segment) continue;
    if (segment.kind === 'frame') {
      const block: Segment[] = [];
      // Between frames stands the code they show.
      for (let next = index; next < segments.length; next += 1) {
        const one = segments[next];
        if (!one) break;
        if (one.kind === 'frame') block.push(one);
        else if (one.kind !== 'code' || segments[next + 1]?.kind !== 'frame') break;
        index = next;
      }
      found.push(...framesOf(block));
      continue;
    }
    found.push(...namedIn(segment));
  }
  return found.slice(0, MAX_MENTIONS);
}

function framesOf(block: readonly Segment[]): Mention[] {
  const python = block.some(({ text }) => /^\s*File\s+"/.test(text));
  const ordered = python ? block.toReversed() : block;
  const mentions: Mention[] = [];
  let depth = 0;
  for (const { text } of ordered.slice(0, 40)) {
    const weight = 1 / (1 + 0.35 * depth);
    const [path] = [...text.matchAll(PATH)].map(([whole]) => whole).filter((one) => !/node:internal/.test(one));
    if (path !== undefined) mentions.push({ text: path, kind: 'frame', weight });
    for (const [name] of text.matchAll(DOTTED)) {
      if (/[.:\\]/.test(name)) mentions.push({ text: name, kind: 'frame', weight });
    }
    depth += 1;
  }
  return mentions;
}

function namedIn(segment: Segment): Mention[] {
  const weight = segment.kind === 'facts' ? 0.2 : segment.kind === 'code' ? 0.5 : 1;
  const mentions: Mention[] = [];
  for (const [text] of segment.text.matchAll(PATH)) mentions.push({ text, kind: 'path', weight });
  for (const [text] of segment.text.matchAll(NAMED_FILE)) mentions.push({ text, kind: 'path', weight });
  if (segment.kind === 'code') {
    // Imports and calls in code name modules.
    for (const [text] of segment.text.matchAll(DOTTED)) mentions.push({ text, kind: 'name', weight: 0.4 });
    return mentions;
  }
  for (const [text] of segment.text.matchAll(FOLDER)) mentions.push({ text, kind: 'name', weight });
  for (const [text] of segment.text.matchAll(DOTTED)) mentions.push({ text, kind: 'name', weight });
  return mentions;
}

/** The files of a repository by what their paths end with. */
export interface PathIndex {
  /** File numbers (places in the list) that a mention means, with how sure that is, 0–1. */
  resolve(mention: Mention): { file: number; sure: number }[];
}

const MAX_MEANT = 12;

/** `paths` by file number. */
export function createPathIndex(paths: readonly string[]): PathIndex {
  const byBase = new Map<string, number[]>();
  const byStem = new Map<string, number[]>();
  paths.forEach((path, file) => {
    const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    put(byBase, base, file);
    put(byStem, base.replace(/(?<=.)\.[^.]*$/, ''), file);
  });

  function resolve({ text, kind }: Mention): { file: number; sure: number }[] {
    const path = text
      .replace(/(?::|\s*[(,]\s*(?:line\s+)?)\d+.*$/, '')
      .replaceAll('\\', '/')
      .toLowerCase();
    const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
    const base = parts.at(-1) ?? '';
    const exact = byBase.get(base);
    if (exact && kind !== 'name') return closest(exact, parts, paths);
    // A name: `package.module.Class` may stand for package/module.py, with whatever ending.
    const names = text.split(/\.|::|\\|\/|->|#/).filter((part) => part !== '');
    return byName(names.map((part) => part.toLowerCase()));
  }

  /** The longest run of names that a path ends with, one name alone only when it is a rare one. */
  function byName(names: readonly string[]): { file: number; sure: number }[] {
    for (let last = names.length; last >= 2; last -= 1) {
      const run = names.slice(0, last);
      for (const index of ['', '__init__', 'index', 'mod', 'package']) {
        const parts = index === '' ? run : [...run, index];
        const files = byStem.get(parts.at(-1) ?? '') ?? [];
        const meant = closest(files, parts, paths, true).filter(
          ({ file }) => sharedEnd(paths[file] ?? '', parts, true) >= 2,
        );
        if (meant.length > 0) return meant;
      }
    }
    return [];
  }

  return { resolve };
}

function put(map: Map<string, number[]>, key: string, file: number): void {
  const known = map.get(key);
  if (known) known.push(file);
  else map.set(key, [file]);
}

/** Of files with the same name those whose folders agree most; the more there are, the less sure each is. */
function closest(
  files: readonly number[],
  parts: readonly string[],
  paths: readonly string[],
  stem = false,
): { file: number; sure: number }[] {
  let best = 1;
  let meant: number[] = [];
  for (const file of files) {
    const shared = sharedEnd(paths[file] ?? '', parts, stem);
    if (shared > best) {
      best = shared;
      meant = [file];
    } else if (shared === best) meant.push(file);
  }
  if (meant.length === 0 || meant.length > MAX_MEANT) return [];
  // A file without its folder, of a name that many have, is hardly named at all.
  return meant.map((file) => ({ file, sure: 1 / meant.length }));
}

/** How many parts at the end of a path are those of the mention. */
function sharedEnd(path: string, parts: readonly string[], stem: boolean): number {
  const own = path.toLowerCase().split('/');
  const last = own.length - 1;
  if (stem) own[last] = (own[last] ?? '').replace(/(?<=.)\.[^.]*$/, '');
  let shared = 0;
  while (shared < own.length && shared < parts.length && own[last - shared] === parts[parts.length - 1 - shared])
    shared += 1;
  return shared;
}
