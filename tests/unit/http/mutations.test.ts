import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { parseHint } from '../../../src/app/delivery/payload.ts';
import type { Delivery } from '../../../src/ports/inbox.ts';
import { bodyOf } from '../../helpers/deliveries/bodies.ts';
import { proofOf, sideHeaders } from '../../helpers/deliveries/proofs.ts';
import { createRandom } from '../../helpers/deliveries/random.ts';
import { createHttp, SIGNING_TOKEN, WEBHOOK_TOKEN } from './harness.ts';

const COUNT = 100_000;
const SEED = Number(process.env['MUTATION_SEED'] ?? 20_260_302);
const LONGEST_MS = 300_000;

/** Keeps no more than the last one: a hundred thousand bodies would fill the memory. */
function createCountingInbox() {
  const seen = { puts: 0, last: null as Delivery | null };
  const put = async (delivery: Delivery): Promise<'stored'> => {
    seen.puts += 1;
    seen.last = delivery;
    return 'stored';
  };
  return { seen, put };
}

test(`${COUNT} mutated deliveries: never a 5xx, never one stored or worked on that is not authentic`, {
  timeout: LONGEST_MS,
}, async () => {
  console.log(`mutated deliveries: seed ${SEED} (MUTATION_SEED)`);
  const random = createRandom(SEED);
  const inbox = createCountingInbox();
  const http = await createHttp({ deps: { inbox } });
  const now = Math.floor(http.clock.now().getTime() / 1000);
  const secrets = { token: WEBHOOK_TOKEN, signingToken: SIGNING_TOKEN };
  const statuses = new Map<string, number>();
  const problems: string[] = [];

  for (let index = 0; index < COUNT; index += 1) {
    const body = bodyOf(random);
    const proof = proofOf(body, now, secrets, random);
    const before = { puts: inbox.seen.puts, wakes: http.wakes.deliveries };
    const { statusCode } = await http.app.inject({
      method: 'POST',
      url: '/webhooks/gitlab',
      headers: { ...sideHeaders(random), ...proof.headers },
      payload: body,
    });
    const stored = inbox.seen.puts - before.puts;
    const woken = http.wakes.deliveries - before.wakes;
    const wanted = proof.authentic ? statusCode === 202 || statusCode === 200 : statusCode === 401;
    const kept = proof.authentic && statusCode === 202 ? 1 : 0;
    if (!wanted || stored !== kept || woken !== kept || !isReadable(kept === 1 ? inbox.seen.last : null))
      problems.push(`delivery ${index} (${proof.name}): ${statusCode}, stored ${stored}, woken ${woken}`);
    const kind = `${proof.authentic} ${statusCode}`;
    statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
  }

  expect(problems.slice(0, 20)).toEqual([]);
  expect([...statuses.keys()].toSorted()).toEqual(['false 401', 'true 200', 'true 202']);
  for (const count of statuses.values()) expect(count).toBeGreaterThan(COUNT / 20);
  expect(http.calls).toEqual([]);
});

/** What was stored is read without an exception, as the worker reads it. */
function isReadable(delivery: Delivery | null): boolean {
  if (delivery === null) return true;
  try {
    parseHint(JSON.parse(delivery.body));
    return delivery.id.length <= 200 && delivery.event.length <= 100 && delivery.itemKey.length <= 40;
  } catch {
    return false;
  }
}

test('what is called authentic here is what the Standard Webhooks library verifies', async () => {
  const random = createRandom(SEED + 1);
  // That library goes by the machine's clock.
  const now = Math.floor(Date.now() / 1000);
  const oracle = new Webhook(SIGNING_TOKEN);
  const odd: string[] = [];
  let compared = 0;
  while (compared < 3000) {
    // It reads bodies as text.
    const body = Buffer.from(bodyOf(random).toString('utf8'));
    const proof = proofOf(body, now, { token: WEBHOOK_TOKEN, signingToken: SIGNING_TOKEN }, random);
    // At the very edge of the five minutes a second may pass meanwhile; and it reads odd times as parseInt does, more loosely.
    const age = Math.abs(now - Number(proof.headers['webhook-timestamp']));
    if (proof.headers['webhook-signature'] === undefined || (age > 295 && age < 310)) continue;
    if (proof.name === 'a signature over an odd time') continue;
    compared += 1;
    let verified = true;
    try {
      oracle.verify(body, proof.headers, { jsonParse: false });
    } catch {
      verified = false;
    }
    if (verified !== proof.authentic) odd.push(proof.name);
  }
  expect([...new Set(odd)]).toEqual([]);
});
