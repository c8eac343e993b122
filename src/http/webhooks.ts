/** `POST /webhooks/gitlab` (D10): authentic deliveries are stored, then acknowledged; nothing else happens here, no call to GitLab. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { itemKeyOf } from '../app/delivery/payload.ts';
import type { InboxStore } from '../ports/inbox.ts';
import type { Log } from '../ports/log.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import { Problem } from './problem.ts';
import type { VerifyDelivery } from './signature.ts';

/** GitLab's own limit is 25 MB. */
export const MAX_DELIVERY_BYTES = 26 * 1024 * 1024;

/** Kinds that can matter; other authentic deliveries are acknowledged and left. */
const KINDS: ReadonlySet<string> = new Set(['note', 'issue', 'work_item', 'emoji', 'merge_request', 'access_token']);

export interface WebhookDeps {
  inbox: Pick<InboxStore, 'put'>;
  queue: Pick<RunQueue, 'wakeDeliveries'>;
  verify: VerifyDelivery;
  log: Log;
}

export async function webhookRoutes(app: FastifyInstance, deps: WebhookDeps): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_DELIVERY_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.post(
    '/webhooks/gitlab',
    { bodyLimit: MAX_DELIVERY_BYTES, config: { rateLimit: false } },
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
      const delivery = { id: deliveryId(request, body), event: header(request, 'x-gitlab-event') ?? '', ...payload };
      const stored = await deps.inbox.put(delivery);
      if (stored === 'known') return reply.code(200).send({ known: true });
      void deps.queue.wakeDeliveries();
      return reply.code(202).send({ accepted: true });
    },
  );
}

/** Null when it is no JSON object or of a kind that is not ours. */
function parse(body: Buffer): { itemKey: string; body: string } | null {
  const text = body.toString('utf8');
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof payload !== 'object' || payload === null || !('object_kind' in payload)) return null;
  if (typeof payload.object_kind !== 'string' || !KINDS.has(payload.object_kind)) return null;
  return { itemKey: itemKeyOf(payload), body: text };
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** GitLab's delivery id is `Idempotency-Key`, equal to `webhook-id`; `X-Gitlab-Webhook-UUID` is new with every send. */
function deliveryId(request: FastifyRequest, body: Buffer): string {
  const given = header(request, 'webhook-id') ?? header(request, 'idempotency-key');
  return given === null ? `body-${createHash('sha256').update(body).digest('hex')}` : given.slice(0, 200);
}
