/** Headers of a delivery, authentic or not, by construction. */
import { createHmac } from 'node:crypto';
import type { Random } from './random.ts';

export interface Secrets {
  token: string;
  /** `whsec_` and base64. */
  signingToken: string;
}

export interface Proof {
  name: string;
  authentic: boolean;
  headers: Record<string, string>;
}

type Make = (body: Buffer, now: number, secrets: Secrets, random: Random) => Record<string, string>;

function sign(body: Buffer, id: string, timestamp: number | string, signingToken: string): string {
  const key = Buffer.from(signingToken.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

function signed(body: Buffer, timestamp: number | string, id: string, signingToken: string): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(body, id, timestamp, signingToken),
  };
}

const OTHER_KEY = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const idOf = (random: Random): string => `d-${random.below(1_000_000_000)}-${random.below(1_000_000_000)}`;
/** Within the five minutes of tolerance. */
const fresh = (now: number, random: Random): number => now - 300 + random.below(601);

/** Beyond it, mostly just so. */
const tooFar = (random: Random): number => 301 + random.pick([0, 1, 60, 250, random.below(100_000)]);

/** What GitLab sends, in all its forms. */
const AUTHENTIC: Record<string, Make> = {
  'the token': (_body, _now, { token }, random) => ({ 'x-gitlab-token': token, 'idempotency-key': idOf(random) }),
  'the token, no id': (_body, _now, { token }) => ({ 'x-gitlab-token': token }),
  'a signature': (body, now, { signingToken }, random) => signed(body, fresh(now, random), idOf(random), signingToken),
  'a signature and the token': (body, now, { signingToken, token }, random) => ({
    ...signed(body, fresh(now, random), idOf(random), signingToken),
    'x-gitlab-token': token,
  }),
  'a signature and a wrong token': (body, now, { signingToken }, random) => ({
    ...signed(body, fresh(now, random), idOf(random), signingToken),
    'x-gitlab-token': 'wrong',
  }),
  'several signatures, one of them right': (body, now, { signingToken }, random) => {
    const right = signed(body, now, idOf(random), signingToken);
    const others = ['v1,AAAA', 'v1a,x', sign(body, 'x', now, OTHER_KEY), '', 'v1,'];
    const list = [...others.slice(0, random.below(5)), right['webhook-signature'], ...others.slice(random.below(5))];
    return { ...right, 'webhook-signature': list.join(' ') };
  },
};

/** What others send. */
const FORGED: Record<string, Make> = {
  nothing: () => ({}),
  'a wrong token': (_body, _now, { token }, random) => ({ 'x-gitlab-token': almost(token, random) }),
  'an empty token': () => ({ 'x-gitlab-token': '' }),
  'the token under another name': (_body, _now, { token }, random) => ({
    [random.pick(['authorization', 'private-token', 'x-gitlab-secret', 'x-gitlab-tokens', 'cookie'])]: token,
  }),
  'the signing token as token': (_body, _now, { signingToken }) => ({ 'x-gitlab-token': signingToken }),
  'a signature by another key': (body, now, _secrets, random) => signed(body, now, idOf(random), OTHER_KEY),
  'a signature by the token': (body, now, { token }, random) =>
    signed(body, now, idOf(random), Buffer.from(token).toString('base64')),
  'a signature of another body': (body, now, { signingToken }, random) =>
    signed(Buffer.concat([body, Buffer.from(' ')]), now, idOf(random), signingToken),
  'a signature of another id': (body, now, { signingToken }, random) => ({
    ...signed(body, now, idOf(random), signingToken),
    'webhook-id': idOf(random),
  }),
  'a signature of another time': (body, now, { signingToken }, random) => ({
    ...signed(body, now - 1, idOf(random), signingToken),
    'webhook-timestamp': String(now),
  }),
  'an old signature': (body, now, { signingToken }, random) =>
    signed(body, now - tooFar(random), idOf(random), signingToken),
  'a signature of the future': (body, now, { signingToken }, random) =>
    signed(body, now + tooFar(random), idOf(random), signingToken),
  'a signature over an odd time': (body, now, { signingToken }, random) =>
    signed(
      body,
      random.pick(['', 'now', `${now}.0`, `+${now}`, `0x${now.toString(16)}`, `${now}e0`, 'NaN']),
      idOf(random),
      signingToken,
    ),
  'a signature without an id': (body, now, { signingToken, token }) => ({
    ...signed(body, now, '', signingToken),
    'x-gitlab-token': token,
  }),
  'a signature of another version': (body, now, { signingToken }, random) => {
    const right = signed(body, now, idOf(random), signingToken);
    return {
      ...right,
      'webhook-signature': right['webhook-signature']?.replace('v1,', random.pick(['v2,', 'v1a,', ',', ''])) ?? '',
    };
  },
  'a broken signature beside the right token': (body, now, { signingToken, token }, random) => {
    const right = signed(body, now, idOf(random), signingToken);
    return { ...right, 'webhook-signature': almost(right['webhook-signature'] ?? '', random), 'x-gitlab-token': token };
  },
  'an empty signature beside the right token': (_body, now, { token }, random) => ({
    'webhook-id': idOf(random),
    'webhook-timestamp': String(now),
    'webhook-signature': random.pick(['', ' ', 'v1,', ',', 'null']),
    'x-gitlab-token': token,
  }),
};

/** The text with one character changed, missing or too many. */
function almost(text: string, random: Random): string {
  const at = random.below(text.length);
  const other = text.charAt(at) === 'x' ? 'y' : 'x';
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + other + text.slice(at + 1);
    case 1:
      return text.slice(0, -1);
    case 2:
      return `${text}x`;
    default:
      return text.slice(1);
  }
}

const KINDS = [
  ...Object.entries(AUTHENTIC).map(([name, make]) => ({ name, make, authentic: true })),
  ...Object.entries(FORGED).map(([name, make]) => ({ name, make, authentic: false })),
];

/** Half of them authentic. `now`: seconds. */
export function proofOf(body: Buffer, now: number, secrets: Secrets, random: Random): Proof {
  const wanted = random.oneIn(2);
  const { name, make, authentic } = random.pick(KINDS.filter((kind) => kind.authentic === wanted));
  return { name, authentic, headers: make(body, now, secrets, random) };
}

const EVENTS = ['Note Hook', 'Issue Hook', 'Confidential Note Hook', 'Emoji Hook', 'System Hook', '', 'x'.repeat(3000)];
const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  ';;',
  'a/b/c',
];

/** The other headers, odd ones among them; none of them says anything of who sent it. */
export function sideHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': random.pick(TYPES), 'x-gitlab-event': random.pick(EVENTS) };
  if (random.oneIn(3)) headers['x-gitlab-webhook-uuid'] = `u-${random.below(1000)}`;
  if (random.oneIn(3))
    headers['x-gitlab-instance'] = random.pick(['https://gitlab.example.com', 'https://evil.example', '']);
  if (random.oneIn(5)) headers['x-forwarded-for'] = random.pick(['127.0.0.1', '::1', 'unknown, 10.0.0.1']);
  if (random.oneIn(8)) headers['accept'] = random.pick(['*/*', 'text/html', '\u00e4', 'application/json;q=0']);
  if (random.oneIn(8)) headers['content-encoding'] = random.pick(['gzip', 'identity', 'br', 'x']);
  return headers;
}
