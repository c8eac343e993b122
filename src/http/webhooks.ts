/** `POST /webhooks/gitlab` (D10): authentic deliveries are stored, then acknowledged; nothing else happens here, no call to GitLab. */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contentKeyOf, itemKeyOf } from '../app/delivery/payload.ts';
import type { Delivery, InboxStore } from '../ports/inbox.ts';
import type { Log } from '../ports/log.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import { Problem } from './problem.ts';
import { DeliveryAnswer, problemsOf } from './schemas.ts';
import type { VerifyDelivery } from './signature.ts';

/** GitLab's own limit is 25 MB. */
export const MAX_DELIVERY_BYTES = 26 * 1024 * 1024;

/** Kinds that can matter; other authentic deliveries are acknowledged and left. */
const KINDS: ReadonlySet<string> = new Set(['note', 'issue', 'work_item', 'emoji', 'merge_request', 'access_token']);

const MAX_ID = 200;
const MAX_EVENT = 100;

export interface WebhookDeps {
  inbox: Pick<InboxStore, 'put'>;
  queue: Pick<RunQueue, 'wakeDeliveries'>;
  verify: VerifyDelivery;
  log: Log;
}

const schema = {
  tags: ['webhooks'],
  summary: 'Takes a delivery of GitLab; it is stored before it is acknowledged.',
  security: [{ webhookSignature: [] }, { webhookToken: [] }],
  response: { 200: DeliveryAnswer, 202: DeliveryAnswer, ...problemsOf(401, 413, 503) },
};

export async function webhookRoutes(app: FastifyInstance, deps: WebhookDeps): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_DELIVERY_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  // The signature covers the bytes, whatever type they are said to be: a type that cannot be read is no reason to refuse.
  app.addHook('onRequest', (request, _reply, done) => {
    request.headers['content-type'] = 'application/octet-stream';
    done();
  });
  app.post(
    '/webhooks/gitlab',
    { bodyLimit: MAX_DELIVERY_BYTES, config: { rateLimit: false }, schema },
    async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (!deps.verify(request.headers, body))
        throw new Problem(
          401,
          'bad_signature',
          'The delivery carries neither a valid signature nor the secret token of this service.',
        );
      const payload = parse(body);
      if (!payload) return reply.code(200).send({ ignored: true });
      const event = (header(request, 'x-gitlab-event') ?? '').slice(0, MAX_EVENT);
      const stored = await store(deps, { id: deliveryId(request, body), event, ...payload });
      if (stored === 'known') return reply.code(200).send({ known: true });
      void deps.queue.wakeDeliveries();
      return reply.code(202).send({ accepted: true });
    },
  );
}

/** Whatever kept it from being stored, GitLab is to send it again: 503. */
async function store(deps: WebhookDeps, delivery: Delivery): Promise<'stored' | 'known'> {
  try {
    return await deps.inbox.put(delivery);
  } catch (error) {
    deps.log.error({ deliveryId: delivery.id, event: delivery.event, error }, 'delivery could not be stored');
    throw new Problem(503, 'store_unavailable', 'The delivery could not be stored now; send it again later.');
  }
}

/** Null when it is no JSON object or of a kind that is not ours. */
function parse(body: Buffer): { itemKey: string; body: string; content?: string } | null {
  const text = body.toString('utf8');
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof payload !== 'object' || payload === null || !('object_kind' in payload)) return null;
  if (typeof payload.object_kind !== 'string' || !KINDS.has(payload.object_kind)) return null;
  const content = contentKey(payload);
  return { itemKey: itemKeyOf(payload), body: text, ...(content === null ? {} : { content }) };
}

/** Without it a delivery is still known by its id: it is stored, whatever its content looks like (D10). */
function contentKey(payload: object): string | null {
  try {
    return contentKeyOf(payload);
  } catch {
    return null;
  }
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * GitLab's delivery id is `Idempotency-Key`, equal to `webhook-id`; `X-Gitlab-Webhook-UUID` is new with every send. An id that
 * is too long is kept by its hash: cut, two deliveries could look like one.
 */
function deliveryId(request: FastifyRequest, body: Buffer): string {
  const given = header(request, 'webhook-id') ?? header(request, 'idempotency-key');
  if (given === null) return `body-${hash('sha256', body)}`;
  return given.length <= MAX_ID ? given : `id-${hash('sha256', given)}`;
}
