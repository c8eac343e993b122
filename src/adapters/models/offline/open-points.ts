/** Questions from points that the item itself leaves open, with the options that its words and the code suggest. */
import { amountsOf, peopleIn } from './contradictions.ts';
import type { Statement } from './document.ts';
import type { Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';
import type { Language } from './language.ts';
import { questionTexts } from './question-texts.ts';
import type { Reading } from './requirements.ts';
import { quote, shared, stemSet } from './text.ts';

/** "A, B or C" within a sentence; empty when it names no alternatives. */
export function alternatives(text: string): string[] {
  const japanese =
    /([^、。「」？?（）()]{1,24}?)(?:か、?|または|もしくは|それとも|、それとも)([^、。「」？?（）()か]{1,24}?)(?:のどちら|のいずれ|かは?未定|か決|か[。？?]?$)/.exec(
      text,
    );
  if (japanese)
    return [japanese[1] ?? '', japanese[2] ?? '']
      .map((part) => part.replace(/^.*[はをがに](?=.{2,})/, '').trim())
      .filter((part) => part.length > 0);
  const match = /^(.*?\S)\s*,?\s+or\s+([^.,;?()]+)/i.exec(text.replace(/\bwhether or not\b/i, 'whether'));
  if (!match) return [];
  const right = (match[2] ?? '').trim().replace(/^(?:should|do|does|is|are|the|a|an|rather|only)\s+/i, '');
  const count = Math.min(5, right.split(/\s+/).length);
  const before = (match[1] ?? '').split(/,\s*/);
  const last = (before.pop() ?? '')
    .split(/\s+/)
    .slice(-count)
    .join(' ')
    .replace(/^(?:as|in|by|be|is|use|with|to|after|the|a|an)\s+/i, '');
  const listed = before
    .slice(1)
    .map((part) => part.trim())
    .filter((part) => part.length > 0 && part.split(/\s+/).length <= 4);
  const first = before.length > 0 && listed.length >= 0 ? (before[0] ?? '').split(/\s+/).slice(-1) : [];
  const all = [...(before.length > 0 ? first : []), ...listed, last, right.split(/\s+/).slice(0, 6).join(' ')];
  return [...new Set(all.map((part) => quote(part, 120)).filter((part) => /[\p{L}\p{N}]/u.test(part)))].slice(-4);
}

/** Amounts in code lines that speak of the same thing, e.g. `maxAgeDays = 30`, with their place. */
function amountsInCode(evidence: Evidence, about: ReadonlySet<string>): { value: string; place: string }[] {
  const found: { value: string; place: string }[] = [];
  for (const file of evidence.opened) {
    if (file.area === 'test') continue;
    for (const [index, line] of file.text.split('\n').entries()) {
      if (line.length > 200 || shared(stemSet(line), about).length < 2) continue;
      const amount = amountsOf(line)[0];
      if (amount && !found.some((one) => one.value === amount.said))
        found.push({ value: amount.said, place: `${file.path}:${index + 1}` });
      if (found.length >= 3) return found;
    }
  }
  return found;
}

function rolesFor(point: Statement, evidence: Evidence, language: Language): { label: string; description?: string }[] {
  const texts = questionTexts(language);
  const named = peopleIn(point.text);
  const besides = /besides|apart from|other than|以外/i.test(point.text);
  const base = besides ? named.slice(0, 1) : [];
  const suggested = named.filter((role) => !base.includes(role));
  const known = evidence.roles.filter((role) => !base.includes(role));
  const candidates = suggested.length > 0 ? suggested : known;
  if (candidates.length === 0) return [];
  const steps = besides
    ? [base, [...base, ...candidates.slice(0, 1)], [...base, ...candidates]]
    : [candidates.slice(0, 1), candidates.slice(0, 2), candidates];
  const labels = steps.map((roles) => texts.only(roles));
  if (suggested.length === 0 && labels.length === 3) labels[2] = texts.everyRole([...base, ...known]);
  return [...new Set(labels)].map((label) => ({ label, description: texts.onlyMeans }));
}

/** An open point as a question. It always has options: those the words name, else those the code suggests, else in or out. */
export function openQuestion(point: Statement, reading: Reading, evidence: Evidence, language: Language): Draft {
  const texts = questionTexts(language);
  const plain = quote(
    point.text
      .replace(/\s*\((tbd|未定)\)\s*/gi, ' ')
      .replace(/([?？])\s*(not sure|unsure|unclear|undecided|tbd|to be decided)[^?？]{0,30}$/i, '$1'),
    400,
  );
  const question = /[?？]$/.test(plain) ? plain : texts.asQuestion(plain);
  const about = `${plain} ${reading.requirements
    .filter((one) => shared(one.stems, stemSet(plain)).length >= 2)
    .map((one) => one.requirement.text)
    .join(' ')}`;
  const base = { kind: 'open', subject: plain, question, why: texts.openWhy(point.source), about };

  if (/\bwho\b|\bwhom\b|誰|どのロール|だれ/i.test(plain)) {
    const options = rolesFor(point, evidence, language);
    if (options.length > 1) return { ...base, options, recommended: 0, reason: texts.restrictive };
  }
  if (
    /how long|how many|how much|how often|retention|limit|maximum|期間|上限|何日|何件|どれくらい|いつまで/i.test(plain)
  ) {
    const own = amountsOf(plain).map((amount) => ({ value: amount.said, place: '' }));
    const found = [...own, ...amountsInCode(evidence, stemSet(about))].slice(0, 3);
    if (found.length > 1) {
      const options = found.map((one) => ({
        label: one.place === '' ? one.value : texts.number(one.value, one.place),
      }));
      return { ...base, options, recommended: 0, reason: texts.firstReason(found[0]?.value ?? '') };
    }
    if (/how long|retention|期間|何日|いつまで|どれくらい/i.test(plain)) {
      const [first] = found;
      const options = first
        ? [{ label: texts.number(first.value, first.place) }, { label: texts.days(30) }, { label: texts.noLimit }]
        : [
            { label: texts.days(7) },
            { label: texts.days(30) },
            { label: texts.noLimit, description: texts.noLimitMeans },
          ];
      return {
        ...base,
        options,
        recommended: first ? 0 : 1,
        reason: first ? texts.closedReason(first.value) : texts.daysReason,
      };
    }
  }
  const named = /かどうか|whether\b(?!.*\bor\b)/i.test(plain) ? [] : alternatives(plain);
  if (named.length > 1) {
    const code = evidence.opened.filter((file) => file.area !== 'docs');
    const known = named.findIndex((label) =>
      [...stemSet(label)].some((word) => code.some((file) => (file.stems.get(word) ?? 0) > 0)),
    );
    const recommended = Math.max(0, known);
    const label = named[recommended] ?? '';
    return {
      ...base,
      options: named.map((text) => ({ label: text })),
      recommended,
      reason: known >= 0 ? texts.closedReason(label) : texts.firstReason(label),
    };
  }
  if (
    /^(?:also )?(should|do|does|can|is|are|may|will|must|whether|if)\b|かどうか|(する|できる|られる|れる|よう)(にする)?か/i.test(
      plain,
    )
  ) {
    const what = quote(
      plain
        .replace(/^(whether|if)\s+/i, '')
        .replace(/か(どうか)?(は|も)?(まだ)?(未定|未決|決ま|決め|要検討|検討中).*$|[?？]$/, ''),
      150,
    );
    return {
      ...base,
      options: [
        { label: texts.no, description: texts.todayMeans },
        { label: texts.yes, description: what },
      ],
      recommended: 0,
      reason: texts.noReason,
    };
  }
  return {
    ...base,
    options: [
      { label: texts.today, description: texts.todayMeans },
      { label: texts.include, description: texts.includeMeans },
    ],
    recommended: 0,
    reason: texts.todayReason,
  };
}
