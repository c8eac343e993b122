import { createHmac, timingSafeEqual } from 'node:crypto';

export interface TokenPayload {
  subject: string;
  role: string;
  issuedAt: number;
}

function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** A token `payload.signature`; nothing in it is secret, nobody can change it. */
export function createSignedToken(payload: TokenPayload, secret: string): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${body}.${sign(body, secret)}`;
}

/** The payload of a token that we signed and that is not older than `maxAgeSeconds`, else null. */
export function readSignedToken(token: string, secret: string, maxAgeSeconds: number): TokenPayload | null {
  const [body = '', signature = ''] = token.split('.');
  const expected = Buffer.from(sign(body, secret));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenPayload;
  return Date.now() / 1000 - payload.issuedAt > maxAgeSeconds ? null : payload;
}
