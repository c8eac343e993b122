/** Reading the prompt's status section and choosing among the offered conditions, for any piece. */
import { stems } from './text.ts';

export interface OfferedTag {
  index: number;
  text: string;
}

/**
 * The offered tags of a prompt. The status section stands last, its numbers rise: walking up from the last line, a number that
 * does not fall any more belongs to quoted text (an earlier output, a hostile item).
 */
export function offeredTags(prompt: string): OfferedTag[] {
  const found = [...prompt.matchAll(/^[ \t>*-]*`?\[STEP:(\d{1,4})\]`?[ \t]*=[ \t]*(.+)$/gm)];
  const tags: OfferedTag[] = [];
  for (const match of found.reverse()) {
    const index = Number(match[1]);
    const above = tags[0];
    if (above && index >= above.index) break;
    tags.unshift({ index, text: (match[2] ?? '').trim() });
  }
  return tags;
}

/** What the offline provider may want to say; each has the words by which a condition shows that it means this. */
export type Outcome = 'questions' | 'context_request' | 'finished' | 'approved' | 'needs_fix' | 'unproductive';

const SIGNS: Record<Outcome, RegExp> = {
  questions:
    /question|\bask|clarif|need(s)? (input|an answer|a decision)|must decide|user input|質問|確認が必要|回答|判断/i,
  context_request:
    /context[_ ]request|too thin|too vague|not enough (context|information)|missing|insufficient|cannot (be )?(proceed|plan|research)|情報(が)?不足|不十分|説明が/i,
  finished:
    /complete|finished|\bdone\b|written|handed over|ready|evaluated|examined|proceed|clear|success|完了|完成|明確|実装可能|できた|終わ/i,
  approved: /approved|no (issues|problems|findings)|passes|\bok\b|問題なし|承認|合格/i,
  needs_fix:
    /needs[_ ]?fix|reject|changes (requested|needed)|issues found|problems? found|fail|修正|問題あり|却下|差し戻し/i,
  unproductive: /unproductive|no progress|stuck|not healthy|非生産|進展(が)?な|膠着/i,
};

function fits(outcome: Outcome, text: string): number {
  if (text.toLowerCase() === outcome) return 10;
  if (outcome !== 'finished' && new RegExp(`\\b${outcome}\\b`, 'i').test(text)) return 5;
  let score = SIGNS[outcome].test(text) ? 2 : 0;
  // "The questions are settled and research is complete" is no wish to ask: another outcome that fits better wins below.
  if (outcome === 'finished' && (SIGNS.questions.test(text) || SIGNS.context_request.test(text))) score -= 1;
  return score;
}

/** The number of the offered condition that means this outcome, null when none does. */
export function tagFor(tags: OfferedTag[], outcome: Outcome, kind?: string): number | null {
  let best: { index: number; score: number } | null = null;
  for (const tag of tags) {
    const named = kind !== undefined && new RegExp(`\\b${kind}\\b`, 'i').test(tag.text) ? 3 : 0;
    const score = fits(outcome, tag.text) + named;
    if (score > 0 && (best === null || score > best.score)) best = { index: tag.index, score };
  }
  return best?.index ?? null;
}

/** The condition whose words an output shares most; null when not even a third of any condition's words is there. */
export function overlapping(conditions: OfferedTag[], output: string): number | null {
  const words = new Set(stems(output));
  const plain = output.toLowerCase();
  let best: { index: number; score: number } | null = null;
  for (const condition of conditions) {
    const own = [...new Set(stems(condition.text))];
    const shared = own.filter((word) => words.has(word)).length;
    const literal = condition.text.length > 0 && plain.includes(condition.text.toLowerCase()) ? 1 : 0;
    const score = literal + (own.length > 0 ? shared / own.length : 0);
    if (score >= 1 / 3 && (best === null || score > best.score)) best = { index: condition.index, score };
  }
  return best?.index ?? null;
}
