/** What one reply or reaction to a question says (spec 2: Eligible replies). */
import { isCommandLine, proseLines } from './commands.ts';
import type { Question } from './schema.ts';

export interface Reading {
  optionIds: string[];
  text: string;
  via: 'reply' | 'marker' | 'emoji';
}

const MARKER = /^ {0,3}<!--[^\S\n]*duo-answer:([^>\n]*?)-->/;
const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;
const DIGITS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const AGREEMENT = new Set(
  (
    'yes|y|yep|yeah|ok|okay|k|sure|agree|agreed|i agree|sounds good|go ahead|go|lgtm|+1|👍|recommended|the recommended one|recommendation|as recommended|' +
    'go with the recommendation|go with the recommended one|go with recommended|yes please|please do|はい|うん|ok です|okです|了解|了解です|承知しました|賛成|賛成です|' +
    "お願いします|推奨|推奨で|推奨でお願いします|推奨の通り|推奨どおり|それで|それでお願いします|ja|einverstanden|empfohlen|oui|d’accord|d'accord|recommandé|sí|si|de acuerdo|recomendado|sim|concordo|да|согласен|" +
    'согласна|рекомендуемый|是|是的|好|好的|同意|推荐|네|예|좋아요|동의합니다|추천|' +
    'wie empfohlen|die empfohlene|das empfohlene|passt|genau|comme recommandé|la recommandée|recommandée|lo recomendado|como recomendado|' +
    'la recomendada|o recomendado|conforme recomendado|a recomendada|de acordo|как рекомендовано|рекомендованный|хорошо|按推荐|按推荐的|' +
    '推荐的|推荐的那个|추천대로|추천대로 해주세요|추천으로|좋습니다|おすすめで|おすすめでお願いします|推奨案で|推奨案でお願いします'
  ).split('|'),
);
const CHOICE_WORD =
  '(?:option|answer|choice|no\\.?|nr\\.?|number|選択肢|案|オプション|вариант|ответ|номер|antwort|nummer|réponse|choix|numéro|opción|' +
  'respuesta|número|opção|resposta|选项|选择|옵션|선택지|번호)';
/** As people count in Japanese, Chinese and Korean, and how they ask for what they counted. */
const COUNTED = '(?:番目?|つ目|번째?|号|个)?(?:でお願いします|がいいです|にします|です|で|입니다|이요|요|로)?';
const CHOICE = new RegExp(`^(?:${CHOICE_WORD}\\s*|第)?[#(]?(\\d{1,2}|[a-j])[).:]?${COUNTED}$`, 'i');
const LEADING = new RegExp(
  `^(?:${CHOICE_WORD}\\s*[#(]?(\\d{1,2}|[a-j])(?![\\p{L}\\p{N}])|[(]?(\\d{1,2})(?:\\)|[.:,](?=\\s|$)|\\s*[–—-](?=\\s)|[、。](?!\\d)|$)|[(]?([a-j])(?:\\)|[.:](?=\\s|$)))`,
  'iu',
);

/** What a reply's text says; null: nothing that answers (only quotes, commands, or nothing). */
export function readReply(question: Question, body: string, bot: string): Reading | null {
  const lines = proseLines(body).filter((line) => !isCommandLine(line, bot));
  const marked = markedIds(question, lines);
  const text = lines
    .join('\n')
    .replace(COMMENTS, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (marked) {
    const labels = new Set(
      question.options.filter((option) => marked.ids.includes(option.id)).map((option) => plain(option.label)),
    );
    const own = text.split('\n').filter((line) => !labels.has(plain(line.replace(/^\s*[-*]\s+/, ''))));
    return { optionIds: marked.ids, text: own.join('\n').trim(), via: 'marker' };
  }
  if (text === '') return null;
  if (question.type === 'open' && AGREEMENT.has(plain(text)))
    return { optionIds: [], text: question.recommendation, via: 'reply' };
  return { optionIds: chosen(question, text), text, via: 'reply' };
}

/** What a reaction says; null: it answers nothing. Skin tones do not matter. */
export function readAward(question: Question, name: string): string[] | null {
  const emoji = name.toLowerCase().replace(/_tone\d$|-tone\d$|:skin-tone-\d:?$/, '');
  if (emoji === 'thumbsup' || emoji === '+1') return recommended(question);
  const option = question.options[DIGITS.indexOf(emoji.replace(/^keycap_/, ''))];
  return option ? [option.id] : null;
}

export function recommended(question: Question): string[] {
  return question.options.filter((option) => option.recommended).map((option) => option.id);
}

/** Ids of the first marker at a line's start that names an option of the question, or `rejected` for something else. */
function markedIds(question: Question, lines: string[]): { ids: string[] } | null {
  for (const line of lines) {
    const listed = MARKER.exec(line)?.[1]
      ?.split(',')
      .map((id) => id.trim());
    if (!listed) continue;
    const ids = question.options.map((option) => option.id).filter((id) => listed.includes(id));
    if (ids.length > 0 || listed.includes('rejected')) return { ids: question.multiple ? ids : ids.slice(0, 1) };
  }
  return null;
}

function chosen(question: Question, text: string): string[] {
  const whole = plain(text);
  if (AGREEMENT.has(whole)) return recommended(question);
  if (question.type === 'open') return [];
  const named = question.options.find((option) => plain(option.label) === whole || option.id.toLowerCase() === whole);
  if (named) return [named.id];
  const listed = choices(question, whole);
  if (listed) return listed;
  const first = plain(text.split('\n')[0] ?? '');
  const start = LEADING.exec(first);
  const option = start ? optionAt(question, start[1] ?? start[2] ?? start[3] ?? '') : undefined;
  if (option) return [option];
  const agrees = /^([\p{L}+👍' ]+?)\s*(?:[,.;:!。、！]|[–—-]\s|$)/u.exec(first)?.[1];
  return agrees !== undefined && AGREEMENT.has(agrees) ? recommended(question) : [];
}

/** A text of nothing but choices; several only where several may be chosen. */
function choices(question: Question, whole: string): string[] | null {
  const parts = whole
    .split(/\s*(?:[,;+&、，]|\band\b|\bund\b|\bet\b|\by\b|\be\b(?=\s)|と|и|和|및|와|과)\s*/)
    .filter((part) => part !== '');
  const tokens = parts.length === 1 && /^\d{1,2}(?:\s+\d{1,2})+$/.test(whole) ? whole.split(/\s+/) : parts;
  const picks = tokens.map((token) => CHOICE.exec(token)?.[1]);
  if (picks.length === 0 || picks.some((pick) => pick === undefined)) return null;
  const ids = picks.map((pick) => optionAt(question, pick ?? ''));
  // One that does not exist leaves open what was meant: the words are handed on, not the half of them.
  if (ids.some((id) => id === undefined)) return [];
  const unique = new Set(ids);
  if (unique.size > 1 && !question.multiple) return [];
  return question.options.map((option) => option.id).filter((id) => unique.has(id));
}

/** The option of a number (from 1) or a letter (from a). */
function optionAt(question: Question, token: string): string | undefined {
  const index = /^\d+$/.test(token)
    ? Number(token) - 1
    : token.length === 1
      ? token.toLowerCase().charCodeAt(0) - 97
      : -1;
  return question.options[index]?.id;
}

/** Lower case, full-width forms as plain ones, without emphasis, quotes and a full stop. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`"“”「」]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.!。！])[.!。！]+$/, '')
    .trim();
}
