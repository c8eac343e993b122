/** Is a delivery GitLab's? (spec 2; Standard Webhooks signature, else the secret token.) */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../ports/clock.ts';

export interface WebhookSecrets {
  /** `X-Gitlab-Token`; null: not accepted. */
  token: string | null;
  /** `whsec_` + base64; null: not accepted. */
  signingToken: string | null;
}

export type VerifyDelivery = (headers: IncomingHttpHeaders, body: Buffer) => boolean;

type Equal = (a: Buffer, b: Buffer) => boolean;

const TOLERANCE_SECONDS = 5 * 60;

/**
 * A signature that is present must verify; the token is never a way around it. Computed over the bytes as they came: the
 * `standardwebhooks` package decodes them as text first, so that a signed body that is no UTF-8 would look forged, and takes
 * 13 times as long for a delivery of 25 MB. The tests hold this to that package.
 */
export function createVerifier(
  secrets: WebhookSecrets,
  clock: Clock,
  /** Takes the same time whatever the bytes; tests listen to it. */
  equal: Equal = timingSafeEqual,
): VerifyDelivery {
  const key = secrets.signingToken === null ? null : keyOf(secrets.signingToken);
  const expected = secrets.token === null ? null : digest(Buffer.from(secrets.token));
  return (headers, body) => {
    if (headers['webhook-signature'] !== undefined) return key !== null && verifies(key, headers, body, clock, equal);
    const given = headers['x-gitlab-token'];
    if (expected === null || typeof given !== 'string') return false;
    // Node reads header bytes as Latin-1. Digests have one length: the time tells nothing of the token's.
    return equal(digest(Buffer.from(given, 'latin1')), expected);
  };
}

/** Made once: from bytes, every HMAC would cost three times as much. */
function keyOf(signingToken: string): KeyObject {
  const key = Buffer.from(signingToken.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new Error('The signing token of the webhook is empty: expected whsec_ and base64.');
  return createSecretKey(key);
}

/** `v1,BASE64` of HMAC-SHA256 over `id.timestamp.body`; several signatures stand apart by blanks, one must fit. */
function verifies(key: KeyObject, headers: IncomingHttpHeaders, body: Buffer, clock: Clock, equal: Equal): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  const ageSeconds = Math.floor(clock.now().getTime() / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) return false;
  const signed = Buffer.from(`${id}.${timestamp}.`, 'latin1');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`);
  return signatures.split(' ').some((signature) => {
    const actual = Buffer.from(signature, 'latin1');
    return actual.length === expected.length && equal(actual, expected);
  });
}

function digest(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}
