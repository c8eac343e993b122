/** What a run's prompts cost: tokens of every request, and how much of each a provider has read before (design: bench tokens). */
import { createPerson } from '../scripts/demo/person.ts';
import { type Embedded, startEmbedded } from '../scripts/embedded.ts';
import { tokensOf, tokensOfText, tokensOfTools } from '../src/app/agent/tokens.ts';
import type { StatusAnswer } from '../src/app/status.ts';
import type { ModelMessage } from '../src/domain/run/messages.ts';
import type { ModelPort, ModelRequest } from '../src/ports/model.ts';
import type { Bench, Figure } from './figures.ts';

const PROJECT = 'acme/sample';
/** Asks something first. */
const ISSUE = 2;
const LONGEST_MS = 120_000;

export const bench: Bench = {
  what: 'Prompts of two runs of the default piece on the sample issue that asks, continued once; in the second the reviewers send the plan back. Tokens are estimated; cached is what stood unchanged at the beginning of the request before in the same conversation.',
  async run(log) {
    log('a run that is resumed');
    const resumed = await prompts({ sentBack: false });
    log('a run that is resumed and loops');
    const looping = await prompts({ sentBack: true });
    return [...figuresOf('resumed', resumed), ...figuresOf('resumed and looping', looping)];
  },
};

interface Prompt {
  conversation: string;
  fixed: string;
  fixedTokens: number;
  messages: ModelMessage[];
}

interface Counted {
  tokens: number;
  cached: number;
  /** True when it does not begin with all that the request before held. */
  broken: boolean;
  first: boolean;
}

async function prompts({ sentBack }: { sentBack: boolean }): Promise<Prompt[]> {
  const asked: Prompt[] = [];
  const service = await startEmbedded({
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    databaseDir: 'memory',
    port: 0,
    aroundModel: (model) => recorded(sentBack ? sendingBack(model) : model, asked),
  });
  try {
    await planned(service);
  } finally {
    await service.stop();
  }
  return asked;
}

async function planned({ sandbox, apiUrl }: Embedded): Promise<void> {
  const alice = createPerson('alice', { gitlab: sandbox.url, api: apiUrl });
  const until = async (wanted: (status: StatusAnswer) => boolean): Promise<void> => {
    const began = performance.now();
    for (;;) {
      const status = await alice.status(PROJECT, ISSUE);
      if (wanted(status)) return;
      if (status.generationStatus === 'FAILED' || performance.now() - began > LONGEST_MS)
        throw new Error(`The run did not come to its end: ${JSON.stringify(status).slice(0, 300)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await alice.act(PROJECT, ISSUE, 'plan');
  await until((status) => status.generationStatus === 'NEEDS_INPUT');
  await alice.act(PROJECT, ISSUE, 'continue');
  await until((status) => status.generationStatus === 'COMPLETED');
}

function recorded(model: ModelPort, asked: Prompt[]): ModelPort {
  return {
    ...model,
    complete(request) {
      asked.push(promptOf(request));
      return model.complete(request);
    },
  };
}

/** In the order in which providers read and keep it: tools, the agent's text, the conversation. */
function promptOf({ tag, instructions = '', tools: callable, spentTools = [], messages }: ModelRequest): Prompt {
  const tools = callable.length > 0 ? callable : spentTools;
  return {
    conversation: tag.stage === 'judge' ? `judge ${tag.movement}` : tag.movement,
    fixed: JSON.stringify([tools, instructions]),
    fixedTokens: tokensOfText(instructions) + tokensOfTools(tools),
    messages: [...messages],
  };
}

/** Reviewers of the first plan find something that blocks it. */
function sendingBack(model: ModelPort): ModelPort {
  let sent = false;
  return {
    ...model,
    async complete(request) {
      const reply = await model.complete(request);
      if (sent || request.tag.movement !== 'coverage' || reply.toolCalls.length > 0) return reply;
      sent = true;
      const finding = { text: 'The first unit does not say how it is verified by hand.', blocking: true };
      const review = JSON.stringify({ verdict: 'needs_fix', findings: [finding] });
      return { ...reply, text: `One thing is missing.\n\n\`\`\`json:review\n${review}\n\`\`\`\n\n[STEP:1]` };
    },
  };
}

function figuresOf(run: string, asked: readonly Prompt[]): Figure[] {
  const counted = asked.map((prompt, index) =>
    count(
      prompt,
      asked.slice(0, index).findLast((one) => one.conversation === prompt.conversation),
    ),
  );
  const sum = (pick: (one: Counted) => number): number => counted.reduce((total, one) => total + pick(one), 0);
  const tokens = sum((one) => one.tokens);
  const again = counted.filter((one) => !one.first);
  const share = (cached: number, of: number): number => (of === 0 ? 0 : (100 * cached) / of);
  const cached = sum((one) => one.cached);
  return [
    { name: `${run}: requests`, value: counted.length, unit: 'requests' },
    { name: `${run}: prompt tokens`, value: tokens, unit: 'tokens' },
    { name: `${run}: cached prefix`, value: share(cached, tokens), unit: '%' },
    {
      name: `${run}: cached prefix after the first request`,
      value: share(
        cached,
        again.reduce((total, one) => total + one.tokens, 0),
      ),
      unit: '%',
    },
    {
      name: `${run}: requests that break their prefix`,
      value: counted.filter((one) => one.broken).length,
      unit: 'requests',
      goal: { max: 0 },
    },
  ];
}

/** A `refresh`ed conversation begins anew with the same tools and agent's text: that much is still kept. */
function count(prompt: Prompt, before: Prompt | undefined): Counted {
  const tokens = prompt.fixedTokens + prompt.messages.reduce((sum, message) => sum + tokensOf(message), 0);
  if (before === undefined) return { tokens, cached: 0, broken: false, first: true };
  if (before.fixed !== prompt.fixed) return { tokens, cached: 0, broken: true, first: false };
  let same = 0;
  while (same < before.messages.length && isSame(before.messages[same], prompt.messages[same])) same += 1;
  const cached =
    prompt.fixedTokens + prompt.messages.slice(0, same).reduce((sum, message) => sum + tokensOf(message), 0);
  const refreshed = same === 0 && prompt.messages.length <= 1;
  return { tokens, cached, broken: same < before.messages.length && !refreshed, first: false };
}

function isSame(one: ModelMessage | undefined, other: ModelMessage | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}
