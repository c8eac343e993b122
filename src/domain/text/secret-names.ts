/** Secrets that are known by the name they are given: `password: …`, `API_KEY=…`, `"client_secret": "…"`. */
import { type Beside, isCredential, isSecretValue } from './secret-values.ts';

const NAME =
  /pass(?:word|wd|phrase|code)|\bpwd|_pwd|secret|token|credentials?|authorization|(?:api|access|private|signing|encryption|master|auth|account|storage|shared|service|deploy|ssh|jwt|client|license|session|webhook|hmac)[-_]?key|requirepass|identified(?= by)/gi;
/** What follows the name's word and makes it the name of something else: its length, its file, where it is sent. */
const OF_SECRET =
  /^[-_]?(?:ids?|names?|type|url|uri|urls|path|paths|file|files|filename|dir|length|len|count|limit|ttl|expir\w*|at|field|fields|label|header|headers|prefix|suffix|regexp?|pattern|hint|policy|format|kind|status|error|errors|min|max|size|budget|scopes?|ring|strength|digits|endpoint|placeholder|title|text|message|required|enabled|rotation|version|provider|usage|index|position|start|end|class|schema|store|manager|service|helper|util\w*|parser|stream|list|map|set)(?![a-z])/i;
/** `name: Type = ` between the name and its value. */
const ANNOTATION =
  /:[ \t]{0,4}[A-Za-z_][\w.]{0,60}(?:<[^=>\n]{0,60}>)?(?:\[\]){0,3}(?: ?\| ?[\w.]{1,40}(?:\[\]){0,3}){0,4}[ \t]{0,4}=(?![=>])[ \t]{0,10}/y;
const SEPARATOR =
  /[ \t]{0,20}(?:(?:is|ist|est|es|é)[ \t]*)?(=>|:=|\?=|={1,3}|!={1,2}|:)[ \t]{0,20}(?:\r?\n[ \t]{1,20}(?=["']))?/y;
/** Only before something in quotes: `setToken("…")`, `("password", "…")`, `PASSWORD '…'`. */
const CALL = /[ \t]{0,4}(?:\([ \t]{0,4}|,[ \t]{0,4}|[ \t]+(?:by[ \t]+)?)(?=["'`])/iy;
const OPTION = /[ \t]{1,4}(?=[^\s-])/y;
const SCHEME = /(?:Bearer|Basic|Token|Digest)[ \t]+/iy;
const LONGEST = 256;
const UNQUOTED = /[^\s"'`,;(){}[\]<>|\\]{1,256}/y;
/** What is longer goes on like this. */
const MORE = /[^\s"'`,;(){}[\]<>|\\]*/y;
const LONGEST_QUOTED = 2000;
const CLOSING = /\\?["'`]?\]?/y;
const TAIL = /[\w-]{0,40}/y;
/** A line that sets one variable of the environment, up to its name. */
const VARIABLE_LINE =
  /^(?:\d+: )?[ \t]*(?:#[ \t]*)?(?:-[ \t]+)?(?:(?:export|ENV|ARG|set|SET|(?:[^\n]{0,160}[ \t])?(?:-e|--env))[ \t]+)?["']?[A-Z][A-Z0-9_]*$/;

/** A part of each name, for a quick look whether there is any. */
const NAME_PART = /pass|pwd|secret|token|credential|authorization|key|identified/i;

export function redactNamed(text: string, mark: string): string {
  if (!NAME_PART.test(text)) return text;
  let out = '';
  let at = 0;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
    const value = valueAfter(text, found.index, found[0]);
    if (value === null || value.start < at) continue;
    out += text.slice(at, value.start) + mark;
    at = value.end;
    NAME.lastIndex = at;
  }
  return at === 0 ? text : out + text.slice(at);
}

interface Place {
  /** Where the value, or its opening quote, begins. */
  at: number;
  /** Nothing but a parenthesis, a comma or spaces stand between name and value. */
  called: boolean;
  beside: Omit<Beside, 'quoted'>;
  /** The value follows an option of a command line. */
  option: boolean;
  /** The variable is set in YAML, where a value has its line for itself. */
  yaml: boolean;
}

type Range = { start: number; end: number } | null;

function valueAfter(text: string, start: number, word: string): Range {
  const place = placeOf(text, start, word);
  if (place === null) return null;
  const quote = /^\\?["'`]/.exec(text.slice(place.at, place.at + 2))?.[0] ?? '';
  return quote === '' ? unquoted(text, place) : quoted(text, place, quote);
}

/** Where the value of the name begins; null: it is no such name, or nothing is said of it. */
function placeOf(text: string, start: number, word: string): Place | null {
  const end = start + word.length;
  const rest = tailOf(text, end);
  if (goesOn(word, rest) || OF_SECRET.test(rest)) return null;
  let at = end + rest.length;
  at += lengthAt(CLOSING, text, at);
  const option = /(?:^|\s)--[\w-]*$/.test(text.slice(Math.max(0, start - 40), start));
  const step =
    lengthAt(ANNOTATION, text, at) ||
    lengthAt(SEPARATOR, text, at) ||
    lengthAt(CALL, text, at) ||
    (option ? lengthAt(OPTION, text, at) : 0);
  if (step === 0) return null;
  const between = text.slice(at, at + step);
  const called = !/[=:]/.test(between) && !option;
  // `/etc/passwd, …` names a file.
  if (called && text.charAt(start - 1) === '/') return null;
  const before = text.slice(Math.max(0, start - 200), end + rest.length);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const variable = VARIABLE_LINE.test(line) && /^(?:["']?[ \t]*:[ \t]+|=)$/.test(between);
  const password = /^pass|pwd|requirepass|identified/i.test(word);
  return { at: at + step, called, option, yaml: variable && between.includes(':'), beside: { password, variable } };
}

function unquoted(text: string, place: Place): Range {
  const scheme = lengthAt(SCHEME, text, place.at);
  const start = place.at + scheme;
  const length = lengthAt(UNQUOTED, text, start);
  const next = start + length;
  if (length === 0 || place.called || /[([]/.test(text.charAt(next))) return null;
  if (place.yaml && !isAlone(text, next)) return null;
  const value = text.slice(start, next).replace(/[.:]+$/, '');
  const secret = scheme > 0 ? isCredential(value) : isSecretValue(value, { quoted: place.option, ...place.beside });
  return secret ? { start, end: start + value.length + (length < LONGEST ? 0 : lengthAt(MORE, text, next)) } : null;
}

function quoted(text: string, place: Place, quote: string): Range {
  const inside = place.at + quote.length;
  const scheme = lengthAt(SCHEME, text, inside);
  const start = inside + scheme;
  const end = closing(text, start, quote);
  if (end < 0) return null;
  const value = text.slice(start, end);
  const secret = scheme > 0 ? isCredential(value) : isSecretValue(value, { quoted: true, ...place.beside });
  return secret ? { start, end } : null;
}

/** Nothing but a remark follows on the line: in code a comma or an operator would. */
function isAlone(text: string, at: number): boolean {
  return /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$|\\n)/.test(text.slice(at, at + 400));
}

/** The end of the text in quotes on its line; -1: there is none near. */
function closing(text: string, from: number, quote: string): number {
  const near = text.slice(from, from + LONGEST_QUOTED);
  const end = near.indexOf(quote);
  return end < 0 || near.slice(0, end).includes('\n') ? -1 : from + end;
}

/** `tokens` and `Tokenizer` are other words; `tokenValue`, `TOKEN_BASE64` and `secret_key_base` are the same. */
function goesOn(word: string, rest: string): boolean {
  const next = rest.charAt(0);
  const upper = word === word.toUpperCase();
  return upper ? /[A-Z]/.test(next) : /[a-z]/.test(next);
}

function tailOf(text: string, at: number): string {
  TAIL.lastIndex = at;
  return TAIL.exec(text)?.[0] ?? '';
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

const DOTENV_LINE = /^((?:\d+: )?[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]{0,200}[ \t]*[=:][ \t]*)(\S[^\r\n]*)$/gm;

/** All values of a file that holds the variables of an environment. */
export function redactVariables(text: string, mark: string): string {
  return text.replace(DOTENV_LINE, (all: string, name: string, value: string) =>
    /^(?:["']{2}|#.*|\[redacted.*)$/.test(value.trim()) ? all : name + mark,
  );
}

const SECRET_MANIFEST = /^kind:[ \t]*["']?(?:Sealed)?Secret["']?[ \t]*$/m;

/** The values of a Kubernetes Secret, whatever their names are. */
export function redactManifest(text: string, mark: string): string {
  if (!text.includes('kind:') || !SECRET_MANIFEST.test(text)) return text;
  let within = -1;
  return text
    .split('\n')
    .map((line) => {
      const indent = line.search(/\S/);
      if (/^[ \t]*(?:data|stringData|encryptedData):[ \t]*\r?$/.test(line)) {
        within = indent;
        return line;
      }
      if (within < 0 || indent < 0) return line;
      if (indent <= within) {
        within = -1;
        return line;
      }
      return line.replace(
        /^([ \t]*[\w.-]+:[ \t]*|[ \t]*)(?![|>][+-]?\r?$)(\S[^\r]*)(\r?)$/,
        (_all, name: string, _value, end: string) => `${name}${mark}${end}`,
      );
    })
    .join('\n');
}
