/** Short imperative titles from requirements: "A customer must be able to share" becomes "Let a customer share". */
import type { Language } from './language.ts';
import { IMPERATIVE } from './requirements.ts';

/** The first clause of a sentence, without where in the code it happens. */
export function firstClause(text: string): string {
  return (
    text
      .replace(/\s*\([^)]*\)/g, '')
      .replace(/\s*\bin `[^`]*[/.][^`]*`/g, '')
      .split(/[;。]|\.\s|:\s|, (?:and|so that|so|otherwise|as|which|because)\b/)[0]
      ?.trim()
      .replace(/[.,]$/, '') ?? text
  );
}

/** Lower-cases the first letter of an ordinary word: names and acronyms stay as they are. */
function lower(text: string): string {
  return /^(A|An|The|It|They|There|We|I|Only|All|Every|Each|No|This|That|These|When|If|Where|As|After|Before|With|For|To|On|In|[A-Z][a-z]+ing|[A-Z][a-z]+s)\b/.test(
    text,
  )
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}

/** An order made of a wish in English; null when its form is not known. */
export function imperative(text: string, language: Language): string | null {
  if (language !== 'en') return null;
  const plain = text.replace(
    /^((i|we) (think|guess|believe)( that)?|ideally|maybe|perhaps|also|so|then|but|and)[, ]+/i,
    '',
  );
  const story = /^as an? (.{2,40}?),? i (?:want|need|would like)( to)? (?:be able to )?(.+?)(?:,? so that\b.*)?$/i.exec(
    firstClause(plain),
  );
  if (story) return `${story[2] ? 'Let' : 'Give'} the ${story[1]} ${story[3]}`;
  const wish = /^(we|users?|people|customers|members|i) (?:want|need|would like)( to)? (?:be able to )?(.+)$/i.exec(
    firstClause(plain),
  );
  if (wish)
    return wish[2] && !/^(we|i)$/i.test(wish[1] ?? '')
      ? `Let ${lower(wish[1] ?? '').toLowerCase()} ${wish[3]}`
      : wish[2]
        ? `${(wish[3] ?? '').charAt(0).toUpperCase()}${(wish[3] ?? '').slice(1)}`
        : `Provide ${wish[3]}`;
  const clause = firstClause(plain).replace(/^(when|if|to|with|for|after|before)\b[^,]{3,80},\s*/i, '');
  const match = /^(.{2,90}?)\s+(must|should|shall|has to|have to|needs? to|can|may)\s+(.+)$/i.exec(clause);
  if (!match) return IMPERATIVE.test(clause) ? clause : `Ensure that ${lower(firstClause(plain))}`;
  const [, subject = '', modal = '', rest = ''] = match;
  const who = lower(subject);
  const able = /^be able to\s+(.+)$/i.exec(rest);
  if (able) return `Let ${who} ${able[1]}`;
  if (/^(can|may)$/i.test(modal))
    return /^not\b/i.test(rest) ? `Keep ${who} from this: ${rest.slice(4)}` : `Let ${who} ${rest}`;
  const never = /^(?:not|never)\s+(.+)$/i.exec(rest);
  if (never) return `Never let ${who} ${never[1]}`;
  const plural = /[^s]s$/.test(subject.replace(/`/g, '')) || / and /.test(subject);
  const being = /^be\s+(.+)$/i.exec(rest);
  if (being) return `Ensure ${who} ${plural ? 'are' : 'is'} ${being[1]}`;
  const given = /^(?:get|have)\s+(.+)$/i.exec(rest);
  return given ? `Give ${who} ${given[1]}` : `Make ${who} ${rest}`;
}
