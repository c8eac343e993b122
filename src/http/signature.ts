/** Is a delivery GitLab's? (spec 2; Standard Webhooks signature, else the secret token.) */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

export interface WebhookSecrets {
  /** `X-Gitlab-Token`; null: not accepted. */
  token: string | null;
  /** `whsec_` + base64; null: not accepted. */
  signingToken: string | null;
}

export type VerifyDelivery = (headers: IncomingHttpHeaders, body: Buffer) => boolean;

/** A signature that is present must verify (5 minutes, several may be given); the token is never a way around it. */
export function createVerifier(secrets: WebhookSecrets): VerifyDelivery {
  const webhook = secrets.signingToken === null ? null : new Webhook(secrets.signingToken);
  const expected = secrets.token === null ? null : Buffer.from(secrets.token);
  return (headers, body) => {
    if (headers['webhook-signature'] !== undefined) return webhook !== null && verifies(webhook, headers, body);
    const given = headers['x-gitlab-token'];
    if (expected === null || typeof given !== 'string') return false;
    const actual = Buffer.from(given);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
}

function verifies(webhook: Webhook, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const signed: Record<string, string> = {};
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const value = headers[name];
    if (typeof value !== 'string') return false;
    signed[name] = value;
  }
  try {
    webhook.verify(body, signed, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}
