/** The parts of an issue's Markdown by what they are worth: title, prose, code, quoted spans, stack frames, facts of the machine. */

export interface Segment {
  kind: 'title' | 'prose' | 'code' | 'span' | 'quote' | 'frame' | 'facts';
  text: string;
}

const MAX_LINE = 2_000;
const FENCE = /^\s*(?:```|~~~)/;
/** A heading of an issue form: it says nothing of its own. */
const FORM_HEADING =
  /^\s*(?:#{1,6}\s*|\*\*|__)?\s*(?:bug report|describe the (?:bug|feature)|to reproduce|steps? to reproduce|reproduc\w*(?: steps?| link| code)?|expected (?:behaviou?r|results?|output)|actual (?:behaviou?r|results?|output)|current behaviou?r|what (?:happened|is expected|did you expect)[^\n]{0,40}|screenshots?|environment|your environment|system info(?:rmation)?|versions?|additional (?:context|information|info)|possible (?:solution|fix)|context|prerequisites|checklist|logs?|description|summary|details|relevant log output|code of conduct|minimal (?:reproducible )?example|code (?:sample|example)[^\n]{0,60})\s*[?:.]*\s*(?:\*\*|__)?\s*[?:]?\s*$/i;
/** What the machine is, which says nothing of where the code is. */
const FACTS =
  /^\s*(?:[-*+]\s*)?(?:\*\*|`)?(?:os|operating system|platform|browser|node(?:\.?js)?|npm|yarn|pnpm|python|ruby|java|go|rustc|php|gcc|clang|kernel|arch|cpu|memory|shell|terminal|docker|package manager|[\w.@/ -]{1,30} version|version)(?:\*\*|`)?\s*(?:\([^)\n]{0,40}\))?\s*[:=|]/i;
const CHECKBOX = /^\s*[-*+]\s*\[[ xX]\]/;
/** A package with its version, as lists of what is installed have it. */
const PINNED = /^\s*[\w.@/-]+\s*(?:==|@|\s)\s*v?\d+\.\d+[\w.+-]*\s*$/;
const FRAME =
  /^\s*(?:at\s+\S.{0,300}|File\s+"[^"\n]+",\s+line\s+\d+.*|#\d+\s+.{0,300}|from\s+\S+:\d+:in\s.*|\S+\.(?:rb|go|rs|c|cc|cpp|h):\d+(?::\d+)?(?::in\s.*|\s+\+0x[0-9a-f]+.*)?|\d+:\s+0x[0-9a-f]+.*)\s*$/;
const SPAN = /``([^`\n]{1,400})``|`([^`\n]{1,400})`/g;
const QUOTED = /"([^"\n]{4,300})"|“([^”\n]{4,300})”|'([^'\n]{8,200})'(?![a-z])/g;
const COMMENT = /<!--[\s\S]{0,20000}?-->/g;
const URL = /https?:\/\/[^\s<>)\]"'`]+/g;
/** What an address says of a file in a repository's web page. */
const BLOB = /\/(?:-\/)?(?:blob|blame|tree|raw|edit)\/[^/\s]+\/([^\s?#]+)/;

/** The parts, in their order; the first line that is not blank is the title. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let fenced = false;
  let titled = false;
  for (const whole of text.replace(COMMENT, ' ').split('\n')) {
    const line = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
    if (line.trim() === '') continue;
    if (FENCE.test(line)) {
      fenced = !fenced;
      continue;
    }
    if (!titled) {
      titled = true;
      segments.push({ kind: 'title', text: withoutAddresses(line.replace(/^\s*#{1,6}\s+|^title:\s*/i, '')) });
      addSpans(line, segments);
      continue;
    }
    // Runs of blanks would make the patterns slow.
    const squeezed = line.replace(/\s+/g, ' ');
    if (FRAME.test(squeezed)) segments.push({ kind: 'frame', text: line });
    else if (fenced) segments.push({ kind: PINNED.test(line) ? 'facts' : 'code', text: withoutAddresses(line) });
    else if (FORM_HEADING.test(squeezed) || CHECKBOX.test(squeezed)) continue;
    else if (FACTS.test(squeezed) || PINNED.test(squeezed))
      segments.push({ kind: 'facts', text: withoutAddresses(line) });
    else {
      const said = withoutAddresses(line);
      const indented = /^(?: {4}|\t)\s*\S/.test(line) && /[(){};=]/.test(line);
      segments.push({ kind: indented ? 'code' : 'prose', text: said });
      if (!indented) addSpans(said, segments);
    }
  }
  return segments;
}

function addSpans(line: string, segments: Segment[]): void {
  for (const match of line.matchAll(SPAN)) segments.push({ kind: 'span', text: match[1] ?? match[2] ?? '' });
  for (const match of line.replace(SPAN, ' ').matchAll(QUOTED))
    segments.push({ kind: 'quote', text: match[1] ?? match[2] ?? match[3] ?? '' });
}

/** Addresses are of other places, but for those that show a file of a repository. */
function withoutAddresses(line: string): string {
  return line.replace(/!\[[^\]\n]{0,200}\]\([^)\n]*\)/g, ' ').replace(URL, (address) => {
    const [, path = ''] = BLOB.exec(address) ?? [];
    return ` ${path} `;
  });
}
