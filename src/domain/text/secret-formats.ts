/** Secrets that are known by their own form, wherever they stand. */

interface Format {
  /** Said in place of the secret, so that a reader knows what stood there. */
  kind: string;
  /** Literal beginnings, for a quick look whether anything of it can be in a text. */
  sign: string;
  pattern: string;
}

/** No letter or digit before: a form in the middle of a longer name is something else. */
const START = '(?<![A-Za-z0-9])';
const B64 = '[A-Za-z0-9_-]';

const FORMATS: readonly Format[] = [
  {
    kind: 'GitLab token',
    sign: 'gl[a-z]{1,6}-',
    pattern: `gl(?:pat|dt|rt|rtr|ptt|cbt|agent|soat|ft|imt|oas|ffct|wt)-[A-Za-z0-9_.=-]{15,300}[A-Za-z0-9_=-]`,
  },
  { kind: 'GitLab token', sign: 'GR1348941', pattern: `GR1348941${B64}{16,60}` },
  { kind: 'GitLab session', sign: '_gitlab_session=', pattern: '(?<=_gitlab_session=)[0-9a-f]{32}' },
  {
    kind: 'GitHub token',
    sign: 'gh[pousr]_|github_pat_',
    pattern: `(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})`,
  },
  { kind: 'AWS key', sign: 'A[KS]IA|ABIA|ACCA', pattern: `(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])` },
  { kind: 'Google key', sign: 'AIza', pattern: `AIza${B64}{35}` },
  { kind: 'Google secret', sign: 'GOCSPX-|ya29\\.', pattern: `(?:GOCSPX-${B64}{20,60}|ya29\\.${B64}{20,500})` },
  {
    kind: 'Slack token',
    sign: 'xox[a-z]|xapp-',
    pattern: `(?:xox[abeoprs](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,200}|xapp-\\d-[A-Za-z0-9-]{10,200})`,
  },
  {
    kind: 'webhook address',
    sign: 'hooks\\.slack\\.com',
    pattern: `(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]{20,120}`,
  },
  {
    kind: 'webhook address',
    sign: '/api/webhooks/',
    pattern: `(?<=discord(?:app)?\\.com/api/webhooks/\\d{6,25}/)${B64}{30,100}`,
  },
  { kind: 'webhook secret', sign: 'whsec_', pattern: `whsec_[A-Za-z0-9+/=]{24,100}` },
  { kind: 'Stripe key', sign: '[rs]k_(?:live|test)_', pattern: `[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}` },
  { kind: 'model key', sign: 'sk-', pattern: `sk-(?:ant-|proj-|svcacct-|admin-|or-)?${B64}{20,250}` },
  {
    kind: 'access token',
    sign: 'hf_|r8_|gsk_|xai-|pplx-',
    pattern: `(?:hf_[A-Za-z]{30,50}|r8_[A-Za-z0-9]{36,40}|gsk_[A-Za-z0-9]{40,60}|xai-[A-Za-z0-9]{60,100}|pplx-[A-Za-z0-9]{40,60})`,
  },
  { kind: 'npm token', sign: 'npm_', pattern: `npm_[A-Za-z0-9]{36}` },
  { kind: 'PyPI token', sign: 'pypi-', pattern: `pypi-AgE${B64}{40,400}` },
  {
    kind: 'registry token',
    sign: 'dckr_|rubygems_|cio',
    pattern: `(?:dckr_pat_${B64}{20,60}|rubygems_[0-9a-f]{48}|cio[A-Za-z0-9]{32}(?![A-Za-z0-9]))`,
  },
  { kind: 'SendGrid key', sign: 'SG\\.', pattern: `SG\\.${B64}{16,32}\\.${B64}{32,64}` },
  {
    kind: 'mail key',
    sign: 'key-|xkeysib-|-us\\d',
    pattern: `(?:key-[0-9a-f]{32}(?![0-9a-f])|xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|[0-9a-f]{32}-us\\d{1,2}(?!\\w))`,
  },
  { kind: 'Twilio key', sign: 'SK[0-9a-f]', pattern: `SK[0-9a-f]{32}(?![0-9a-f])` },
  { kind: 'bot token', sign: ':AA', pattern: `\\d{8,10}:AA${B64}{33}(?!${B64})` },
  {
    kind: 'access token',
    sign: 'do[opr]_v1_|shp[a-z]{2}_|EAAA|sq0',
    pattern: `(?:do[opr]_v1_[0-9a-f]{64}|shp(?:at|ca|pa|ss|tk)_[0-9a-fA-F]{32}|sq0(?:atp|csp)-${B64}{22,60})`,
  },
  {
    kind: 'access token',
    sign: 'ATATT|ATCTT|lin_api_|ntn_|secret_|figd_|PMAK-|sntrys_|dapi|dp\\.',
    pattern: `(?:AT[AC]TT3${B64}{50,300}|lin_api_[A-Za-z0-9]{30,60}|ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}|figd_${B64}{40,60}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|sntrys_[A-Za-z0-9+/=_]{40,400}|dapi[0-9a-f]{32}|dp\\.(?:pt|st|ct)\\.[A-Za-z0-9]{40,60})`,
  },
  {
    kind: 'Vault token',
    sign: 'hv[sbr]\\.|atlasv1',
    pattern: `(?:hv[sbr]\\.${B64}{20,300}|[A-Za-z0-9]{14}\\.atlasv1\\.${B64}{40,100})`,
  },
  { kind: 'age key', sign: 'AGE-SECRET-KEY-', pattern: `AGE-SECRET-KEY-1[A-Z0-9]{58}` },
  { kind: 'JSON web token', sign: 'eyJ', pattern: `eyJ${B64}{8,400}\\.eyJ${B64}{8,8000}\\.${B64}{16,1000}` },
  {
    kind: 'storage key',
    sign: 'AccountKey=|SharedAccessKey=|[?&]sig=',
    pattern: `(?<=(?:AccountKey|SharedAccessKey)=|[?&]sig=)[A-Za-z0-9+/%=]{30,200}`,
  },
  {
    kind: 'token',
    sign: '[Bb]earer',
    pattern: `(?<=\\b[Bb]earer )(?=[^\\s"'\`]*\\d)(?=[^\\s"'\`]*[A-Za-z])[A-Za-z0-9._~+/=-]{19,4000}[A-Za-z0-9_~+/=-]`,
  },
  {
    kind: 'password',
    sign: '\\blogin ',
    pattern: `(?<=\\blogin [^\\s]{1,100} password )(?!\\[redacted)[^\\s\\\\"]{1,200}`,
  },
];

const SIGNS = new RegExp(FORMATS.map(({ sign }) => `(${sign})`).join('|'), 'g');
const PATTERNS = FORMATS.map(({ kind, pattern }) => ({ kind, pattern: new RegExp(`${START}(?:${pattern})`, 'g') }));

/** Lower-case words alone name something; a secret of these forms has more in it. */
const WORDS = /^[a-z]+(?:[-_.][a-z]+)*$/;

/** Every form but these has so many of such characters in a row; prose has not, and most texts are looked through no further. */
const SHORTEST_RUN = 15;
const SHORT_FORMS = ['login ', 'hooks.slack.com'] as const;
const IN_RUN = new Set(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+=%-', (c) => c.charCodeAt(0)),
);
const ASCII = 128;
const RUNS = Uint8Array.from({ length: ASCII }, (_value, code) => (IN_RUN.has(code) ? 1 : 0));

/** Strings come in many forms inside of the engine, and each `text.charCodeAt` would ask which: the function itself does not. */
const codeAt = Function.prototype.call.bind(String.prototype.charCodeAt) as (text: string, at: number) => number;

/** Looks at the last character that a run from here would have first, so that most characters are not looked at. */
function hasLongRun(text: string): boolean {
  const { length } = text;
  for (let last = SHORTEST_RUN - 1; last < length; ) {
    let at = last;
    while (at > last - SHORTEST_RUN && isOfRun(codeAt(text, at))) at -= 1;
    if (at === last - SHORTEST_RUN) return true;
    last = at + SHORTEST_RUN;
  }
  return false;
}

function isOfRun(code: number): boolean {
  return code < ASCII && RUNS[code] === 1;
}

export function redactFormats(text: string, mark: (kind: string) => string): string {
  if (!hasLongRun(text) && !SHORT_FORMS.some((sign) => text.includes(sign))) return text;
  let result = text;
  for (const index of signsOf(text)) {
    const format = PATTERNS[index];
    if (format) result = result.replace(format.pattern, (found) => (isNone(found) ? found : mark(format.kind)));
  }
  return result;
}

/** The formats of which there are signs, in their order: the others are not looked for. */
function signsOf(text: string): number[] {
  const found = new Set<number>();
  for (const groups of text.matchAll(SIGNS)) found.add(groups.indexOf(groups[0], 1) - 1);
  return [...found].sort((a, b) => a - b);
}

function isNone(found: string): boolean {
  return WORDS.test(found) || isFiller(found);
}

/** `glpat-xxxxxxxxxxxxxxxxxxxx`, as examples write it. */
function isFiller(found: string): boolean {
  const tail = found.replace(/^.*?[-_.]/, '');
  return new Set(tail.replace(/[-_.]/g, '').toLowerCase()).size <= 2;
}

/** `scheme://user:password@host`, also without a user. What is a variable or a placeholder stays. */
const CREDENTIALS = /\b([a-z][a-z0-9+.-]{1,30}:\/\/)([^\s:/@"'`<>\\]{0,100}):([^\s/@"'`<>\\]{1,300})@(?=[\w.[-])/gi;

/** For a quick look: the pattern above tries each word. */
const WITH_PASSWORD = /:\/\/[^\s:/@"'`<>\\]{0,100}:[^\s/@"'`<>\\]{1,300}@/;

export function redactAddresses(
  text: string,
  mark: (kind: string) => string,
  isPlaceholder: (value: string) => boolean,
): string {
  if (!WITH_PASSWORD.test(text)) return text;
  return text.replace(CREDENTIALS, (all: string, scheme: string, user: string, password: string) =>
    isPlaceholder(password) ? all : `${scheme}${user}:${mark('password')}@`,
  );
}

const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]{2,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END (?:[A-Z0-9]{2,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
const LONGEST_KEY = 20_000;
/** A key without an end: lines of base64 and headers, in text or written as `\n` in a string. */
const KEY_BODY =
  /(?:(?:\r?\n|\\r\\n|\\n)?[ \t|"'+,]{0,40}(?:\d+: )?(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]{3,20}: [^\n\\"]{1,100}|(?=\r?\n|\\n)))+/y;

/** The lines between begin and end go, each by itself, so that lines keep their numbers. */
export function redactPrivateKeys(text: string, mark: (kind: string) => string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  let out = '';
  let at = 0;
  for (const begin of text.matchAll(KEY_BEGIN)) {
    if (begin.index < at) continue;
    const from = begin.index + begin[0].length;
    const within = text.slice(from, from + LONGEST_KEY);
    const found = within.search(KEY_END);
    const end = found < 0 ? -1 : from + found;
    KEY_BODY.lastIndex = from;
    // An end that is far away is not this one's.
    const until = end >= 0 ? end : KEY_BODY.test(text) ? KEY_BODY.lastIndex : from;
    out += text.slice(at, from) + eachLine(text.slice(from, until), mark('private key'));
    at = until;
  }
  return out + text.slice(at);
}

/** The first line that holds something becomes the mark, the others empty; the line breaks stay. */
function eachLine(body: string, mark: string): string {
  let said = false;
  return body
    .split(/(\r?\n|\\r\\n|\\n)/)
    .map((part, index) => {
      if (index % 2 === 1 || part.trim() === '') return part;
      if (said) return '';
      said = true;
      return mark;
    })
    .join('');
}
