import { createHmac, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { createVerifier } from '../../../src/http/signature.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';
import { SIGNING_TOKEN, WEBHOOK_TOKEN } from './harness.ts';

const clock = createFakeClock();
const now = Math.floor(clock.now().getTime() / 1000);
const verify = createVerifier({ token: WEBHOOK_TOKEN, signingToken: SIGNING_TOKEN }, clock);
const body = Buffer.from('{"object_kind":"note"}');

function signed(payload: Buffer | string, timestamp: number | string = now, id = 'delivery-1') {
  const key = Buffer.from(SIGNING_TOKEN.slice(6), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(payload).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

describe('signature', () => {
  test('takes what the Standard Webhooks library signs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\x21-\x7e]{1,60}$/), (text, id) => {
        const payload = text.toWellFormed();
        const signature = new Webhook(SIGNING_TOKEN).sign(id, new Date(now * 1000), payload);
        const headers = { 'webhook-id': id, 'webhook-timestamp': `${now}`, 'webhook-signature': signature };
        expect(verify(headers, Buffer.from(payload))).toBe(true);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('refuses every change of body, id, time or signature', () => {
    const headers = signed(body);
    const changed = [
      [headers, Buffer.from('{"object_kind":"note" }')],
      [{ ...headers, 'webhook-id': 'delivery-2' }, body],
      [{ ...headers, 'webhook-timestamp': `${now - 1}` }, body],
      [{ ...headers, 'webhook-timestamp': `0${now}` }, body],
      [{ ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, -1) }, body],
      [{ ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }, body],
      [{ ...headers, 'webhook-signature': headers['webhook-signature'].slice(3) }, body],
    ] as const;
    expect(changed.map(([given, bytes]) => verify(given, bytes))).toEqual(changed.map(() => false));
  });

  test('covers the bytes: a body that is no UTF-8 verifies, and is not taken for another', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    expect(verify(signed(bytes), bytes)).toBe(true);
    expect(verify(signed(bytes), Buffer.from([0xfe, 0xff, 0x00, 0x80]))).toBe(false);
  });

  test('one of several signatures is enough', () => {
    const good = signed(body);
    const several = `v1,${Buffer.alloc(32).toString('base64')} v1a,abc ${good['webhook-signature']}`;
    expect(verify({ ...good, 'webhook-signature': several }, body)).toBe(true);
    expect(verify({ ...good, 'webhook-signature': 'v1,abc v1,def' }, body)).toBe(false);
  });

  test.each([
    [-300, true],
    [-301, false],
    [300, true],
    [301, false],
  ])('signed %i seconds from now: %s', (seconds, accepted) => {
    expect(verify(signed(body, now + seconds), body)).toBe(accepted);
  });

  test.each(['', 'now', '1e9', `${now}.5`, `-${now}`, 'NaN', '9'.repeat(400)])('refuses the time "%s"', (timestamp) => {
    expect(verify(signed(body, timestamp), body)).toBe(false);
  });

  test('a part that is missing or empty is no signature, whatever the token', () => {
    const whole = { ...signed(body), 'x-gitlab-token': WEBHOOK_TOKEN };
    const { 'webhook-id': _id, ...withoutId } = whole;
    const { 'webhook-timestamp': _time, ...withoutTime } = whole;
    expect(verify(withoutId, body)).toBe(false);
    expect(verify(withoutTime, body)).toBe(false);
    expect(verify({ ...whole, 'webhook-signature': '' }, body)).toBe(false);
    expect(verify(signed(body, now, ''), body)).toBe(false);
  });

  test('is compared in constant time, every one of the list until one fits, and the token not at all', () => {
    const compared: string[] = [];
    const listening = createVerifier({ token: WEBHOOK_TOKEN, signingToken: SIGNING_TOKEN }, clock, (a, b) => {
      compared.push(a.toString());
      return timingSafeEqual(a, b);
    });
    const good = signed(body);
    const other = `v1,${Buffer.alloc(32).toString('base64')}`;

    const list = [other, good['webhook-signature'], other].join(' ');
    expect(listening({ ...good, 'webhook-signature': list, 'x-gitlab-token': WEBHOOK_TOKEN }, body)).toBe(true);
    expect(listening({ ...good, 'webhook-signature': other, 'x-gitlab-token': WEBHOOK_TOKEN }, body)).toBe(false);

    expect(compared).toEqual([other, good['webhook-signature'], other]);
  });

  test('without a signing token nothing signed is taken, not even with the token', () => {
    const tokenOnly = createVerifier({ token: WEBHOOK_TOKEN, signingToken: null }, clock);
    expect(tokenOnly({ ...signed(body), 'x-gitlab-token': WEBHOOK_TOKEN }, body)).toBe(false);
    expect(tokenOnly({ 'x-gitlab-token': WEBHOOK_TOKEN }, body)).toBe(true);
  });

  test('a signing token without a key is refused at the start', () => {
    expect(() => createVerifier({ token: null, signingToken: 'whsec_' }, clock)).toThrow(/expected whsec_ and base64/);
  });
});

describe('token', () => {
  test('is compared whole', () => {
    const tokens = ['', 'hook-secret-', 'hook-secret-11', 'Hook-secret-1', ` ${WEBHOOK_TOKEN}`, 'x'.repeat(10_000)];
    expect(tokens.map((token) => verify({ 'x-gitlab-token': token }, body))).toEqual(tokens.map(() => false));
    expect(verify({ 'x-gitlab-token': WEBHOOK_TOKEN }, body)).toBe(true);
  });

  test('may hold what is not ASCII: header bytes are read as they came', () => {
    const umlaut = createVerifier({ token: 'gehéim-ключ', signingToken: null }, clock);
    const asNodeReadsIt = Buffer.from('gehéim-ключ').toString('latin1');
    expect(umlaut({ 'x-gitlab-token': asNodeReadsIt }, body)).toBe(true);
  });

  test('is compared by digests of one length in constant time, once, whatever comes', () => {
    const compared: number[][] = [];
    const listening = createVerifier({ token: WEBHOOK_TOKEN, signingToken: SIGNING_TOKEN }, clock, (a, b) => {
      compared.push([a.length, b.length]);
      return timingSafeEqual(a, b);
    });
    const tokens = ['', 'h', WEBHOOK_TOKEN, `${WEBHOOK_TOKEN}x`, 'x'.repeat(10_000)];

    const accepted = tokens.map((token) => listening({ 'x-gitlab-token': token }, body));

    expect(accepted).toEqual([false, false, true, false, false]);
    expect(compared).toEqual(tokens.map(() => [32, 32]));
  });

  test('without any secret nothing is authentic', () => {
    const none = createVerifier({ token: null, signingToken: null }, clock);
    expect(none({ 'x-gitlab-token': '' }, body)).toBe(false);
    expect(none({ ...signed(body), 'x-gitlab-token': WEBHOOK_TOKEN }, body)).toBe(false);
    expect(none({}, body)).toBe(false);
  });
});
