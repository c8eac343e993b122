/** Short imperative titles from requirements: "A customer must be able to share" becomes "Let a customer share". */
import type { Language } from './language.ts';
import { IMPERATIVE } from './requirements.ts';

/** The first clause of a sentence, without where in the code it happens. */
export function firstClause(text: string): string {
  return (
    text
      .replace(/\s*\([^)]+\)/g, '')
      .replace(/\s*\bin `[^`]*[/.][^`]*`/g, '')
      .split(/[;。]|\.\s|:\s|, (?:and|so that|so|otherwise|as|which|because)\b/)[0]
      ?.trim()
      .replace(/[.,]$/, '') ?? text
  );
}

function upper(words: string): string {
  // A name of code keeps its case.
  return /^[a-z]+[A-Z_.(]/.test(words) ? words : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Orders made of items of a list that are no sentences; null: it is one. */
function withoutVerb(text: string): string | null {
  const clause = firstClause(text);
  const ability = /^(?:the )?(?:ability|option|way|possibility) to (.+)$/i.exec(clause);
  if (ability) return upper(ability[1] ?? '');
  const support = /^support for (.+)$/i.exec(clause);
  if (support) return `Support ${support[1]}`;
  const modal = /^(?:must|should|shall|has to|needs? to) (not )?(.+)$/i.exec(clause);
  if (modal) return modal[1] ? `Do not ${modal[2]}` : upper((modal[2] ?? '').replace(/^be (\w+ed)\b/i, 'have it $1'));
  const told =
    /^(?:the )?(readme|docs?|documentation|manual|changelog|`?[\w./-]+\.md`?) (?:must |should )?(describe|mention|explain|list|document)s? (.+)$/i.exec(
      clause,
    );
  if (told) return `${upper((told[2] ?? '').toLowerCase())} ${told[3]} in the ${told[1]}`;
  const done =
    /^(documented|described|explained|covered|tested|validated|logged|exported|sorted|cached|limited) (.+)$/i.exec(
      clause,
    );
  if (done) return `${DOING[(done[1] ?? '').toLowerCase()] ?? 'Have'} it ${done[2]}`;
  const limit = /^(?:at most|at least|max(?:imum)?\.?|min(?:imum)?\.?|up to|no more than) (.+)$/i.exec(clause);
  if (limit) return `Limit it: ${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
  const given =
    /^given (.{3,80}?),? (?:when (.{3,120}?),? )?then (.+)$/i.exec(clause) ??
    /^given (.{3,80}?), ()(.+)$/i.exec(clause);
  if (given) return `Make it so: ${given[3]}`;
  const verb =
    /\b(is|are|was|were|has|have|can|may|must|should|shall|will|need|needs|gets?|stays?|remains?|belongs?|means?|know|knows|works?|\w+(?:s|es) (?:the|a|an|to|from|only|no|not))\b/i;
  if (THING.test(clause) && !verb.test(clause)) return `Add ${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
  return null;
}

const DOING: Readonly<Record<string, string>> = {
  documented: 'Document',
  described: 'Describe',
  explained: 'Explain',
  covered: 'Cover',
  tested: 'Test',
  validated: 'Validate',
  logged: 'Log',
  exported: 'Export',
  sorted: 'Sort',
  cached: 'Cache',
  limited: 'Limit',
};

/** Lower-cases the first letter of an ordinary word: names and acronyms stay as they are. */
function lower(text: string): string {
  return /^(A|An|The|Default|Other|Both|Existing|New|Old|It|They|There|We|I|Only|All|Every|Each|No|This|That|These|When|If|Where|As|After|Before|With|For|To|On|In|[A-Z][a-z]+ing|[A-Z][a-z]+ed|[A-Z][a-z]+s)\b/.test(
    text,
  )
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}

/** "… only removes up to a limit, we want `x`": the wish alone. */
const AFTER_WISH = /^.{5,160}?(?:,|;| -| –) (?:so )?((?:we|i|users|people) (?:want|need|would like) .+)$/i;
/** A thing that is wished for without a verb: "A server option `x`", "Support for y". */
const THING = /^(an?|the|new|optional|support for|ability to|option to|way to|possibility to) /i;

/** An order made of a wish in English; null when its form is not known. */
export function imperative(text: string, language: Language): string | null {
  if (language !== 'en') return null;
  const led = text
    .replace(/^(please|kindly|ideally|maybe|perhaps|also|so|then|but|and)[, ]+/i, '')
    .replace(/^((i|we) (think|guess|believe)( that)?)[, ]+/i, '')
    .replace(/^it (should|must|would) (also )?be (possible|nice|good|great|able) to\s+/i, '');
  const better = /\bbut (an? .{3,80}?) would be (?:nice|nicer|better|good|great|useful|helpful|easier)\b/i.exec(led);
  if (better) return `Add ${better[1]}`;
  const plain = upper(AFTER_WISH.exec(led)?.[1] ?? led);
  const bare = withoutVerb(plain);
  if (bare !== null) return bare;
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
  if (able && /^(we|i|one|you|it|they)$/i.test(who))
    return able[1]?.replace(/^./, (letter) => letter.toUpperCase()) ?? null;
  if (able) return `Let ${who} ${able[1]}`;
  if (/^(can|may)$/i.test(modal))
    return /^not\b/i.test(rest) ? `Keep ${who} from this: ${rest.slice(4)}` : `Let ${who} ${rest}`;
  const never = /^(?:not|never)\s+(.+)$/i.exec(rest);
  if (never) return `Never let ${who} ${never[1]}`;
  const always = /^(?:also |still )?always (be )?(.+)$/i.exec(rest);
  if (always) return always[1] ? `Keep ${who} ${always[2]}` : `Always let ${who} ${always[2]}`;
  const plural = /[^s]s$/.test(subject.replace(/`/g, '')) || / and /.test(subject);
  const being = /^be\s+(.+)$/i.exec(rest);
  if (being) return `Ensure ${who} ${plural ? 'are' : 'is'} ${being[1]}`;
  const given = /^(?:get|have)\s+(.+)$/i.exec(rest);
  return given ? `Give ${who} ${given[1]}` : `Make ${who} ${rest}`;
}
