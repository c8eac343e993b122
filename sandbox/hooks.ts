import { createHmac, randomUUID } from 'node:crypto';
import type { Delivery, Hook, Project } from './model.ts';
import type { HookEvent } from './payloads.ts';
import { atLeast } from './settings.ts';
import type { SandboxState } from './state.ts';

/** GitLab gives a receiver ten seconds. */
const DELIVERY_TIMEOUT_MS = 10_000;

/** The Standard Webhooks signature `v1,<base64>` over `{id}.{timestamp}.{body}`; the key is base64 after `whsec_`. */
export function signDelivery(signingToken: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(signingToken.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** From this failure in a row on a hook is disabled for a while, a minute first, twice as long each time, a day at most. */
const TEMPORARY_FROM = 4;
/** From this one on it is disabled for good. */
const PERMANENT_FROM = 40;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 24 * 60 * 60_000;

/** Sends hooks as real HTTP requests, in the background. Like GitLab it does not try again by itself. */
export class HookSender {
  private readonly state: SandboxState;
  private readonly open = new Set<Promise<unknown>>();
  private readonly closing = new AbortController();

  constructor(state: SandboxState) {
    this.state = state;
  }

  /** Fires an event at every hook of the project that wants it. Returns at once. */
  fire(project: Project, event: HookEvent, eventUuid: string = randomUUID()): void {
    if (this.state.settings.silentMode) return;
    for (const hook of project.hooks) {
      if (hook.events[event.trigger] !== true || !this.isExecutable(hook)) continue;
      this.track(this.send(hook, this.deliveryOf(hook, event, eventUuid)));
    }
  }

  /** Sends an event to one hook, whatever it is set to; resolves with what came of it. */
  async test(hook: Hook, event: HookEvent): Promise<Delivery['attempts'][number]> {
    const sending = this.send(hook, this.deliveryOf(hook, event, randomUUID()));
    this.track(sending);
    return sending;
  }

  private deliveryOf(hook: Hook, event: HookEvent, eventUuid: string): Delivery {
    const body = JSON.stringify(event.body);
    const delivery = { id: randomUUID(), hookId: hook.id, event: event.event, eventUuid, body, attempts: [] };
    this.state.deliveries.push(delivery);
    return delivery;
  }

  /** One that was disabled for a while is tried again when the while is over. */
  private isExecutable(hook: Hook): boolean {
    if (hook.alertStatus !== 'temporarily_disabled' || hook.disabledUntil === null) {
      return hook.alertStatus === 'executable';
    }
    if (hook.disabledUntil > this.state.timestamp()) return false;
    hook.alertStatus = 'executable';
    hook.disabledUntil = null;
    return true;
  }

  /** GitLab counts everything but 2xx and 3xx as a failure. */
  private count(hook: Hook, status: number | null): void {
    if (!this.state.settings.hookAutoDisable) return;
    if (status !== null && status < 400) {
      Object.assign(hook, { failures: 0, alertStatus: 'executable', disabledUntil: null });
      return;
    }
    hook.failures += 1;
    if (hook.failures >= PERMANENT_FROM) Object.assign(hook, { alertStatus: 'disabled', disabledUntil: null });
    else if (hook.failures >= TEMPORARY_FROM) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (hook.failures - TEMPORARY_FROM), LONGEST_PAUSE_MS);
      hook.alertStatus = 'temporarily_disabled';
      hook.disabledUntil = new Date(this.state.now().getTime() + pause).toISOString();
    }
  }

  /** Sends a kept delivery again: same body and `Idempotency-Key`, a new UUID, timestamp and signature. */
  async resend(delivery: Delivery): Promise<void> {
    const hook = this.state.projects.flatMap((project) => project.hooks).find((known) => known.id === delivery.hookId);
    if (!hook) throw new Error(`hook ${delivery.hookId} of delivery ${delivery.id} is gone`);
    const sending = this.send(hook, delivery);
    this.track(sending);
    await sending;
  }

  /** Resolves when no delivery is under way any more, those fired meanwhile included. */
  async idle(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }

  /** Breaks off what is under way; nothing is sent afterwards. */
  async close(): Promise<void> {
    this.closing.abort(new Error('the sandbox is closing'));
    await this.idle();
  }

  private track(sending: Promise<unknown>): void {
    this.open.add(sending);
    void sending.finally(() => this.open.delete(sending));
  }

  private async send(hook: Hook, delivery: Delivery): Promise<Delivery['attempts'][number]> {
    const attempt: Delivery['attempts'][number] = {
      at: this.state.timestamp(),
      webhookUuid: randomUUID(),
      status: null,
      error: null,
    };
    delivery.attempts.push(attempt);
    const timestamp = String(Math.floor(this.state.now().getTime() / 1000));
    try {
      const response = await fetch(hook.url, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]),
        headers: {
          'content-type': 'application/json',
          'user-agent': `GitLab/${this.state.settings.version}-sandbox`,
          ...(atLeast(this.state.settings, '17.4') ? { 'idempotency-key': delivery.id } : {}),
          'x-gitlab-event': delivery.event,
          'x-gitlab-webhook-uuid': attempt.webhookUuid,
          'x-gitlab-event-uuid': delivery.eventUuid,
          'x-gitlab-instance': this.state.baseUrl,
          ...(hook.token === null ? {} : { 'x-gitlab-token': hook.token }),
          ...(hook.signingToken === null || !this.state.settings.webhookSigning
            ? {}
            : {
                'webhook-id': delivery.id,
                'webhook-timestamp': timestamp,
                'webhook-signature': signDelivery(hook.signingToken, delivery.id, timestamp, delivery.body),
              }),
        },
        body: delivery.body,
      });
      attempt.status = response.status;
      await response.body?.cancel();
    } catch (error) {
      attempt.error = error instanceof Error ? error.message : String(error);
    }
    this.count(hook, attempt.status);
    return attempt;
  }
}
