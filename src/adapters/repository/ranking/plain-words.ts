/** Words that say little about where in a repository something is. */

const COMMON = new Set(
  (
    'a about above after again all also although always am an and any anyone anything are aren as at away back be because been ' +
    'before being below between both but by came can cannot cant come could couldn d did didn do does doesn doing don done dont down ' +
    'during each either else etc even ever every few for from further g get gets getting go goes going gone good got had has hasn have ' +
    'haven having he hello help her here hey hi him his how however i id ie if ill im in instead into is isn it its itself ive just ' +
    'kind know like ll look looks lot m make makes many may maybe me might more most much must my need needs never no nor not nothing ' +
    'now of off often ok on once one only or other our out over own per please put quite rather re really s same say says see seem ' +
    'seems seen she should shouldn since so some something soon still such sure t take takes than thank thanks that the their them ' +
    'then there therefore these they thing things think this those though three through thus to too two under until up upon us use ' +
    'used uses using usually ve very via want wants was wasn way we well were weren what whatever when where whereas whether which ' +
    'while who whole whose why will with within without won work worked working works would wouldn x yes yet you your yours'
  ).split(' '),
);

/** Of issue forms and of any report: they count a little, for a file may be about them. */
const TEMPLATE = new Set(
  (
    'actual actually add added adding additional allow allows attempt attempts behave behavior behaviors behaviour broken bug bugs ' +
    'case cause causes causing change changed changes check checked code correct correctly crash crashes current currently ' +
    'debug describe description detail details different directly encountered ensure environment error errors example examples exist ' +
    'existing expect expected expecting explicitly fail failed failing fails failure feature files fine fix fixed fixes following found ' +
    'happen happened happening happens hope idea implement improve incorrect incorrectly information install installed issue issues ' +
    'latest line lines linux mac macos mean means minimal new node noticed occur occurs old os output outputs particular place possible ' +
    'possibly previously problem problems produce produces project proposal proposed provide question reason regression related ' +
    'release reopen repo report reported repository repro reproduce reproduced reproduction request result results return returned returns ' +
    'run running runs sample screenshot second seconds set show shown shows similar simple simply situation solution specific start ' +
    'started step steps suggest suggestion support supported system test tested testing tests time times tried tries try trying ubuntu ' +
    'understand unexpected unfortunately update user users usage version versions windows workaround wrong'
  ).split(' '),
);

/** A word of grammar, or one that stands in any text. */
export function isCommon(word: string): boolean {
  return COMMON.has(word.toLowerCase());
}

/** A word of issue forms. */
export function isTemplate(word: string): boolean {
  return TEMPLATE.has(word);
}
