/** What a file says at a glance: area, definitions, routes, tables, limits, roles. Read from its text, for any common language. */

export type Area = 'data' | 'logic' | 'api' | 'ui' | 'docs' | 'test' | 'config';

export interface Definition {
  name: string;
  kind: string;
  startLine: number;
  endLine: number;
}

const CODE =
  /\.(ts|tsx|js|jsx|mjs|cjs|py|rb|go|rs|java|kt|kts|cs|php|swift|scala|ex|exs|c|cc|cpp|h|hpp|sql|vue|svelte|sh|lua|dart|graphql|proto)$/i;
const DOCS = /\.(md|mdx|rst|adoc|txt)$/i;
const IGNORED =
  /(^|\/)(node_modules|vendor|dist|build|target|\.git|__pycache__|coverage)\/|(\.min\.|\.lock$|lock\.json$|lock\.yaml$|\.map$|\.snap$|go\.sum$)|(^|\/)(LICENSE|COPYING)/i;

export function isCode(path: string): boolean {
  return CODE.test(path);
}

const BUILT = /(^|\/)(dist|build|target)\//i;

/** Made by a build: nobody changes it, unless there is nothing else (a package as it was published). */
export function isBuilt(path: string): boolean {
  return BUILT.test(path) && !/(^|\/)(node_modules|vendor|\.git|__pycache__|coverage)\/|\.(min\.\w+|map)$/i.test(path);
}

/** Whether a file is worth looking at: text of the project's own. */
export function isOwn(path: string): boolean {
  return !IGNORED.test(path);
}

export function isTest(path: string): boolean {
  return /(^|\/)(tests?|__tests__|spec|specs|e2e)\/|[._-](test|spec)\.\w+$|(^|\/)test_[^/]+\.\w+$|_test\.\w+$|Tests?\.\w+$/.test(
    path,
  );
}

export function areaOf(path: string): Area {
  if (isTest(path)) return 'test';
  if (DOCS.test(path) || /(^|\/)docs?\//i.test(path)) return 'docs';
  if (
    /(^|\/)(migrations?|schema|db|database|models?|entities|stores?|repositor(y|ies)|persistence|dao|prisma|sql)(\/|\.|_|-)|\.(sql|prisma)$|(^|\/)(models?|schema|storage|store|db|database)\.\w+$|-store\.\w+$|_repository\.\w+$/i.test(
      path,
    )
  )
    return 'data';
  if (
    /(^|\/)(ui|pages?|components?|public|static|templates?|frontend|web|client|styles?)\/|\.(css|scss|html|vue|svelte|tsx|jsx|erb|hbs)$/i.test(
      path,
    ) &&
    !/notif|mail/i.test(path)
  )
    return 'ui';
  if (
    /(^|\/)(routes?|controllers?|api|handlers?|endpoints?|views|http|server|rest|graphql|rpc|cli|cmd|commands?)(\/|\.|_|-)|(^|\/)(app|server|main|urls|cli)\.\w+$/i.test(
      path,
    )
  )
    return 'api';
  return isCode(path) ? 'logic' : 'config';
}

const DEFINITIONS: [string, RegExp][] = [
  ['function', /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([A-Za-z_$][\w$]*)/],
  ['class', /^\s*(?:export\s+)?(?:abstract\s+)?(?:public\s+|final\s+)*class\s+([A-Za-z_]\w*)/],
  ['interface', /^\s*(?:export\s+)?(?:interface|trait|protocol)\s+([A-Za-z_]\w*)/],
  ['type', /^\s*(?:export\s+)?(?:pub\s+)?(?:type|enum|struct)\s+([A-Za-z_]\w*)/],
  ['function', /^\s*(?:async\s+)?def\s+([A-Za-z_]\w*)/],
  ['function', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+([A-Za-z_]\w*)/],
  ['function', /^func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)/],
  ['table', /^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?["`]?([A-Za-z_][\w.]*)/i],
  ['constant', /^\s*(?:export\s+)?(?:const|static|final|val|var|let)\s+(?:[A-Z]\w*\s+)?([A-Z][A-Z0-9_]{2,})\b/],
  ['constant', /^([A-Z][A-Z0-9_]{2,})\s*(?::\s*\w+\s*)?=/],
  ['function', /^\s*(?:export\s+)?const\s+([a-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*(?::[^=]+)?=>/],
  [
    'function',
    /^\s*(?:public|private|protected|internal)\s+(?:static\s+)?(?:async\s+)?[\w<>[\],?\s]+\s+([A-Za-z_]\w*)\s*\(/,
  ],
];

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Definitions of a file by a line's form; ends by indentation, which formatters keep in every common language. */
export function definitionsOf(text: string): Definition[] {
  const lines = text.split('\n');
  const found: Definition[] = [];
  for (const [index, line] of lines.entries()) {
    if (found.length >= 80) break;
    for (const [kind, form] of DEFINITIONS) {
      const name = form.exec(line.slice(0, 400))?.[1];
      if (name === undefined || /^(if|for|while|return|new|await)$/.test(name)) continue;
      found.push({ name, kind, startLine: index + 1, endLine: endOf(lines, index) });
      break;
    }
  }
  return found;
}

function endOf(lines: string[], start: number): number {
  const first = lines[start] ?? '';
  const base = indentOf(first);
  if (!/[{([:]\s*$/.test(first.trimEnd()) && !/=>\s*$/.test(first)) return start + 1;
  let last = start;
  for (let i = start + 1; i < Math.min(lines.length, start + 400); i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '') continue;
    if (indentOf(line) > base) last = i;
    else return /^\s*[})\]]/.test(line) ? continued(lines, i, base) : last + 1;
  }
  return last + 1;
}

/** A signature over several lines closes with `): X {` and goes on. */
function continued(lines: string[], at: number, base: number): number {
  if (!/[{:]\s*$/.test(lines[at] ?? '')) return at + 1;
  for (let i = at + 1; i < Math.min(lines.length, at + 400); i++) {
    const line = lines[i] ?? '';
    if (line.trim() !== '' && indentOf(line) <= base) return i + 1;
  }
  return lines.length;
}

/** The comment right above a line or the docstring right below, first sentence. */
export function commentOf(text: string, line: number): string {
  const lines = text.split('\n');
  const below = /^\s*(?:"""|''')\s*(.+?)(?:"""|''')?\s*$/.exec(lines[line] ?? '');
  const collected: string[] = [];
  for (let i = line - 2; i >= Math.max(0, line - 12); i--) {
    const comment = /^\s*(?:\/\*\*?|\*\/?|\/\/+|#|--)\s?(.*?)\s*(?:\*\/)?$/.exec(lines[i] ?? '');
    if (!comment) break;
    collected.unshift(comment[1] ?? '');
  }
  const all = (collected.join(' ').trim() || below?.[1] || '').replace(/\s+/g, ' ').trim();
  // What follows are tags and examples, no words about it.
  const said = all.split(/\s?(?:@\w+|```|\bexample\b|async function|import \{)/i)[0]?.trim() ?? '';
  return /^(.{8,240}?[.。])(\s|$)/.exec(said)?.[1] ?? said.slice(0, 240);
}

/** HTTP routes a line registers, as `GET /path`. */
export function routesOf(text: string): { route: string; line: number }[] {
  const found: { route: string; line: number }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const cut = line.slice(0, 400);
    const call = /\b\w+\.(get|post|put|patch|delete|route)\s*(?:<[^(]*>)?\(\s*['"`](\/[^'"`]*)['"`]/i.exec(cut);
    const decorator = /@(Get|Post|Put|Patch|Delete)(?:Mapping)?\(\s*['"](\/?[^'"]*)['"]/.exec(cut);
    const method = /methods\s*=\s*\[\s*['"](\w+)['"]/.exec(cut)?.[1];
    const match = call ?? decorator;
    if (match)
      found.push({
        route: `${(method ?? (match[1] === 'route' ? 'GET' : match[1]) ?? 'GET').toUpperCase()} ${match[2] ?? ''}`,
        line: index + 1,
      });
    if (found.length >= 40) break;
  }
  return found;
}

const ROLE_WORDS =
  'admin|administrator|superuser|owner|maintainer|manager|supervisor|moderator|developer|operator|editor|librarian|teacher|doctor|staff|agent|clerk|nurse|reporter|planner|author|member|viewer|student|customer|user|guest|everyone|anonymous';
/** Order of power as names suggest it, strongest first; unknown names stand in the middle. */
const RANK = ROLE_WORDS.split('|');

/** Role names that the code spells as strings beside the word role, at least two, strongest first. */
export function rolesOf(texts: string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 3000 || !/role/i.test(line)) continue;
      for (const match of line.slice(0, 600).matchAll(/['"]([a-z][a-z_-]{2,20})['"]/gi)) {
        const name = (match[1] ?? '').toLowerCase();
        if (RANK.includes(name)) found.add(name);
      }
    }
  }
  return [...found].sort((a, b) => RANK.indexOf(a) - RANK.indexOf(b));
}
