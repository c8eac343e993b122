/** What an item must say and does not: access, price, fate of data, fate of those who use an interface, the end of a list. */
import { peopleIn, saysEveryone } from './contradictions.ts';
import type { Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';
import type { Language } from './language.ts';
import { questionTexts } from './question-texts.ts';
import type { Asked, Reading } from './requirements.ts';
import { prose, quote, shared, stemSet } from './text.ts';

const OPENS_ACCESS =
  /\b(share|sharing|invit\w+|export\w*|download\w*|publish\w*|public|impersonat\w+|approv\w+|grant\w*|visible|see (the )?(other|all|each)|access)\b|共有|招待|エクスポート|ダウンロード|公開|閲覧|承認/i;
const SAYS_WHO =
  /\b(permissions?|roles?|authori[sz]\w+|authenticated|signed[- ]in|logged[- ]in|own(er|s)?|(its|their|his|her) (author|creator)s?|who (created|wrote|owns|made)|same (rights|access|people)|no (new )?(rights|access)|whoever|anyone (who|with)|everybody (who|with)|nobody else|no one else|access (check|rule)s? (stay|remain|as))\b|権限|ロール|ログイン|自分の|本人|お客様/i;
const DESTROYS =
  /\b(delet\w*|purg\w*|eras\w*|wip(e|es|ing)|drop(s|ped|ping)?|truncat(e|es|ing)|destroy\w*)\b|削除|消去|破棄|抹消/i;
const DATA =
  /\b(data|database|records?|rows?|accounts?|users?|customers?|files?|histor(y|ies)|logs?|tables?|columns?|entries|messages?|backups?|documents?|everything)\b|データ|レコード|アカウント|ユーザー?|履歴|ログ|テーブル|ファイル|情報/i;
const SAYS_FATE =
  /soft[- ]?delet|restor|undo|undelet|archiv|backup|backed up|back(ed)? ?up|retention|permanent|irrevers|irrecover|unrecover|hard[- ]?delet|trash|recycle bin|recover|grace period|for good|for ever|forever|no way back|mark(ed|s|ing)? (them |it |as )*(as )?(deleted|removed|inactive)|deleted_at|tombstone|only hid(e|den)|physically|really (gone|deleted)|cannot be (deleted|removed|brought back)|kept for \d+|\d+ days? (later|after)|論理削除|物理削除|復元|完全に|ゴミ箱|バックアップ|保持期間|アーカイブ/i;
const CHANGES =
  /\b(renam\w*|remov\w*|replac\w*|chang(e|es|ing) (the )?(type|format|name|signature|meaning|response)|drop(s|ping)?|no longer (accept|return|support)\w*)\b|改名|名称変更|廃止|置き換え|形式を変更/i;
const INTERFACE =
  /\b(endpoints?|api|fields?|parameters?|response|query|header|flags?|options?|payload|webhook|cli|environment variable|url|route)\b|`(GET|POST|PUT|PATCH|DELETE) |エンドポイント|フィールド|パラメータ|レスポンス|API/i;
const SAYS_COMPAT =
  /compatib|deprecat|breaking|\bv\d\b|version|both (the )?old|both (names|forms|ways|endpoints|options|fields)|(keep|leave|retain)s? the (old|existing|current|former)|(the )?(old|former|previous|existing) (name|names|one|ones|path|paths|field|fields|option|options|endpoint|endpoints|format|way|api|flag|url|route|parameter|call|calls)( \w+)? (is|are|will be|must be|gets?|can be|may be|stays?|must stay|keeps?|remains?|works?|must|continues?|goes|disappears?)\b|drop the old|remove the old|replace (it|them) at once|(without|no) (an? )?(alias|fallback|transition)|nobody (uses|calls|relies)|not (used|called) (by anyone|anywhere|outside)|no (external )?(callers?|users?|clients?) (use|depend|rel)|internal only|redirects? to|alias|migration (guide|period)|additive|互換|非推奨|破壊的|併存|旧版/i;
const PRICE =
  /\b(pric(e|es|ing) (plan|tier)s?|paid (plan|tier|user|customer)s?|paying|premium|tiers?|subscription plans?|billing plans?)\b|有料|料金プラン|課金/i;
const ENDLESS =
  /\betc\b\.?|\band so on\b|\band the like\b|\band similar\b|\bor similar\b|\bwherever (it is )?(needed|appropriate)\b|\bas appropriate\b/i;

/** A requirement inside a question: without its full stop. */
function short(one: Asked): string {
  return quote(one.requirement.text, 300).replace(/[.。]$/, '');
}

function firstOf(reading: Reading, fits: (text: string) => boolean): Asked | undefined {
  return reading.requirements.find((one) => fits(one.requirement.text));
}

function access(reading: Reading, evidence: Evidence, language: Language): Draft | null {
  const texts = questionTexts(language);
  const everything = [reading.title, ...reading.statements.map((one) => one.text)];
  if (
    evidence.roles.length < 2 ||
    everything.some((text) => SAYS_WHO.test(text) || saysEveryone(text) || peopleIn(text).length > 0)
  )
    return null;
  const one = firstOf(reading, (text) => OPENS_ACCESS.test(prose(text)));
  if (one === undefined) return null;
  const { roles } = evidence;
  const steps = roles.length === 2 ? [roles.slice(0, 1), roles] : [roles.slice(0, 1), roles.slice(0, 2), roles];
  const where = evidence.opened.find((file) => /role|permission|auth/i.test(file.path))?.path ?? '';
  return {
    kind: 'access',
    subject: one.requirement.text,
    question: texts.who(short(one)),
    why: texts.whoWhy(roles, where),
    options: steps.map((step) => ({
      label: step.length === roles.length ? texts.everyRole(roles) : texts.only(step),
      ...(step.length === roles.length ? {} : { description: texts.onlyMeans }),
    })),
    recommended: 0,
    reason: texts.restrictive,
    about: one.requirement.text,
  };
}

function tier(reading: Reading, evidence: Evidence, language: Language): Draft | null {
  const texts = questionTexts(language);
  const one = firstOf(reading, (text) => PRICE.test(text));
  if (
    one === undefined ||
    reading.statements.some((other) =>
      /\b(all|every|any|each|both) (paid |paying |pricing |subscription )?(plans?|tiers?|customers?)\b|\b(independent|regardless) of (the )?(plan|tier)|\b(free|basic|starter|standard|team|pro|professional|business|enterprise|ultimate|gold|silver)\b|すべてのプラン|無料プラン/i.test(
        other.text,
      ),
    )
  )
    return null;
  const names = new Set<string>();
  for (const file of evidence.opened) {
    for (const line of file.text.split('\n'))
      if (/plan|tier/i.test(line))
        for (const match of line.matchAll(
          /['"](free|basic|starter|standard|pro|premium|business|team|enterprise|ultimate)['"]/gi,
        ))
          names.add((match[1] ?? '').toLowerCase());
  }
  const named = [...names].slice(-2).map((name) => ({ label: texts.tierOne(name) }));
  return {
    kind: 'tier',
    subject: one.requirement.text,
    question: texts.tier(short(one)),
    why: texts.tierWhy,
    options: [{ label: texts.tierAll }, { label: texts.tierPaid }, ...named],
    recommended: 0,
    reason: texts.tierReason,
    about: one.requirement.text,
  };
}

function destruction(reading: Reading, evidence: Evidence, language: Language): Draft | null {
  const texts = questionTexts(language);
  if ([reading.title, ...reading.statements.map((one) => one.text)].some((text) => SAYS_FATE.test(text))) return null;
  const tables = evidence.opened.flatMap((file) =>
    file.definitions.filter((definition) => definition.kind === 'table').map((definition) => definition.name),
  );
  const touches = (text: string) => tables.filter((table) => shared(stemSet(table), stemSet(text)).length > 0);
  const one = firstOf(
    reading,
    (text) =>
      DESTROYS.test(prose(text)) &&
      (DATA.test(text) || touches(text).length > 0) &&
      !/\b(not|never|no)\b.{0,20}delet|削除しない/i.test(text),
  );
  if (one === undefined) return null;
  return {
    kind: 'destruction',
    subject: one.requirement.text,
    question: texts.destroy(short(one)),
    why: texts.destroyWhy(touches(one.requirement.text).slice(0, 4)),
    options: [
      { label: texts.destroyMark, description: texts.destroyMarkMeans },
      { label: texts.destroyLater, description: texts.destroyLaterMeans },
      { label: texts.destroyNow, description: texts.destroyNowMeans },
    ],
    recommended: 0,
    reason: texts.destroyReason,
    about: one.requirement.text,
  };
}

function breaking(reading: Reading, evidence: Evidence, language: Language): Draft | null {
  const texts = questionTexts(language);
  if (reading.statements.some((one) => SAYS_COMPAT.test(one.text))) return null;
  const one = firstOf(reading, (text) => CHANGES.test(prose(text)) && INTERFACE.test(text));
  if (one === undefined) return null;
  const route = evidence.opened.find(
    (file) => file.routes.length > 0 && shared(stemSet(file.path), one.stems).length > 0,
  );
  return {
    kind: 'breaking',
    subject: one.requirement.text,
    question: texts.breaking(short(one)),
    why: texts.breakingWhy(route ? `\`${route.routes[0]?.route}\`, ${route.path}` : ''),
    options: [
      { label: texts.breakingBoth, description: texts.breakingBothMeans },
      { label: texts.breakingNow, description: texts.breakingNowMeans },
    ],
    recommended: 0,
    reason: texts.breakingReason,
    about: one.requirement.text,
  };
}

function scope(reading: Reading, evidence: Evidence, language: Language): Draft | null {
  const texts = questionTexts(language);
  const one = firstOf(reading, (text) => ENDLESS.test(prose(text)));
  if (one === undefined) return null;
  const named = one.requirement.text.toLowerCase();
  const places = evidence.opened
    .filter((file) => !['docs', 'test', 'config'].includes(file.area))
    .map((file) => file.path)
    .filter((path) => !named.includes(path))
    .slice(0, 3);
  return {
    kind: 'scope',
    subject: one.requirement.text,
    question: texts.scope(short(one)),
    why: texts.scopeWhy,
    options: [{ label: texts.scopeNamed }, { label: texts.scopeAll(places) }],
    recommended: 0,
    reason: texts.scopeReason,
    about: one.requirement.text,
  };
}

/** At most one question of each kind. */
export function policyQuestions(reading: Reading, evidence: Evidence, language: Language): Draft[] {
  return [destruction, access, breaking, tier, scope]
    .map((policy) => policy(reading, evidence, language))
    .filter((draft) => draft !== null);
}
