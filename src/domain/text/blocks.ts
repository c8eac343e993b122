/** Code fences, as this service reads and writes them: any indentation in, column 0 out, always closed. */

export interface FenceStart {
  /** A list marker before the fence; it gets a line of its own. */
  lead: string;
  /** The run of backticks or tildes. */
  run: string;
  /** Info string as written. */
  info: string;
}

const START = /^[ \t]*((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;

export function fenceStart(line: string): FenceStart | null {
  const found = START.exec(line);
  if (!found) return null;
  const [, lead = '', run = '', info = ''] = found;
  if (run.startsWith('`') && info.includes('`')) return null;
  return { lead: lead.trim(), run, info };
}

/** Does the line end a fence that began with `run`? */
export function endsFence(line: string, run: string): boolean {
  const text = line.trim();
  return text.length >= run.length && text.startsWith(run) && text === (run[0] ?? '').repeat(text.length);
}

/** Languages GitLab does not show as code but draws, computes, queries or applies. */
const ACTIVE_LANGUAGES = new Set(
  (
    'mermaid plantuml uml kroki graphviz dot ditaa blockdiag seqdiag actdiag nwdiag packetdiag rackdiag c4plantuml d2 dbml erd ' +
    'excalidraw bpmn bytefield diagramsnet nomnoml pikchr structurizr svgbob symbolator tikz umlet vega vegalite wavedrom wireviz ' +
    'math latex suggestion glql table'
  ).split(' '),
);

/** The info string reduced to a harmless language name: forged payloads and drawn languages lose theirs. */
export function safeInfo(info: string): string {
  const language = /^[ \t]*([A-Za-z0-9+#._-]{1,40})/.exec(info)?.[1] ?? '';
  return ACTIVE_LANGUAGES.has(language.toLowerCase().replaceAll(/[._-]/g, '')) ? 'text' : language;
}
