/** Is what stands beside a secret's name a secret, or a word, a type, a variable, a placeholder? */

/** What examples and templates write instead of a secret; a variable, a call, a reference to where it is kept. */
const PLACEHOLDER =
  /\$\{|\$\(|\{\{|<%|%\(|%s|%[A-Z_]+%|^\$[A-Za-z_]|^[<{(]|^\[redacted|\.\.\.|…|^(?:x{3,}|\*{3,}|-{3,}|_{3,}|#{3,}|0+|1234567?8?9?0?)$|^(?:your|my|our|some|the|a|an|test|fake|dummy|sample|example|placeholder)?[-_]?(?:api)?[-_]?(?:pass(?:word|wd|phrase)?|secret|token|key|credentials?|auth|bearer|basic)[-_]?(?:here|value|goes[-_]here|string)?$|^[A-Z][A-Z_]*(?:TOKEN|PASSWORD|SECRET|KEY)$|^your-[a-z-]+$|change[-_]?me|replace[-_]?me|redacted|hidden|^(?:null|nil|none|undefined|true|false|yes|no|on|off|required|optional|empty|string|number|boolean|bytes|any|unknown|void|object)$/i;
/** Read from somewhere else: no value. */
const ELSEWHERE =
  /^(?:process\.env|os\.|env[.[(]|ENV[.[(]|secrets?\.|vault:|file:|ref\+|arn:|ssm:|!\w|&\w|\*\w|@\w|https?:\/\/)/;
const WORDS = /^[\p{L}]+(?:[-_./: ][\p{L}]+)*$/u;
const NUMBERED_WORDS = /^[A-Za-z]+(?:[-_./:][A-Za-z]+)*[-_./:]?\d{0,4}$/;
/** Names of types, algorithms and encodings have digits too. */
const TECHNICAL =
  /^(?:(?:[Uu]?[Ii]nt|[Ff]loat|sha|SHA|Sha|md|MD|[Bb]ase|[Uu][Tt][Ff]|[HREP]S|aes|AES|rsa|RSA|[Oo]auth|OAuth|oidc|ed|Ed|ES|http|HTTP|gpt|cl)[-_]?\d{1,5}[A-Za-z]{0,10}|[vxp]\d{1,5})$/;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || ELSEWHERE.test(value);
}

/** What follows `Bearer` or `Basic` in a header. */
export function isCredential(value: string): boolean {
  return value.length >= 8 && !isPlaceholder(value) && /^[\w.~+/=-]+$/.test(value) && /[A-Z0-9]/.test(value);
}

export interface Beside {
  /** The value stands in quotes. */
  quoted: boolean;
  /** The name says password, passphrase or the like: people choose those, so they need not look random. */
  password: boolean;
  /** The line sets a variable of the environment: what stands there is a value and no expression. */
  variable: boolean;
}

export function isSecretValue(value: string, { quoted, password, variable }: Beside): boolean {
  if (value.length < 6 || isPlaceholder(value) || /\s/.test(value))
    return variable && quoted && /\s/.test(value) && !isPlaceholder(value);
  if (variable) return !/^\d{1,5}$/.test(value) && !/^[\w.-]*\($/.test(value);
  const hasLetter = /\p{L}/u.test(value);
  const hasDigit = /\d/.test(value);
  if (TECHNICAL.test(value)) return false;
  if (password && hasLetter && hasDigit) return quoted || !/^[A-Za-z_$][\w$]*(?:\.[\w$]+)+$/.test(value);
  if (password && quoted && hasLetter && /[!@#$%^&*?~+=]/.test(value))
    return !/^[\w-]*[*?]|^[#.@]\w|^\^|\$$/.test(value);
  if (!quoted && /^[\w$.]+$/.test(value) && value.replace(/\D/g, '').length <= 2) return false;
  if (WORDS.test(value)) return value.length >= 24 && jumps(value) / value.length > 0.25;
  if (!hasLetter) return hasDigit && quoted && value.length >= 12 && /^\d+$/.test(value);
  if (NUMBERED_WORDS.test(value) || /^[\w$]+(?:\.[\w$]+)+$/.test(value))
    return value.length >= 24 && hasDigit && jumps(value) / value.length > 0.25;
  return hasDigit && value.length >= (quoted ? 10 : 16) && entropy(value) >= (quoted ? 2.8 : 3.2) && !isPath(value);
}

/** A path, an address without credentials, a version, a date: random enough, and no secret. */
function isPath(value: string): boolean {
  return (
    (/^(?:\.{0,2}\/|[\w.@-]+\/[\w.-]+\/)/.test(value) && !/[+=]/.test(value) && /[a-z]{4,}/.test(value)) ||
    /^v?\d+(?:\.\d+)+/.test(value) ||
    /^\d{4}-\d\d/.test(value)
  );
}

/** Changes between small, large and digit: a word has few, a random text many. */
function jumps(value: string): number {
  let count = 0;
  for (let at = 1; at < value.length; at += 1)
    if (kind(value.charCodeAt(at)) !== kind(value.charCodeAt(at - 1))) count += 1;
  return count;
}

function kind(code: number): number {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 97 && code <= 122 ? 2 : 3;
}

/** Bits a character, by the frequencies in the value itself. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
