/** Template variables (spec 1: Prompt of a movement). Expansion is one pass: inserted values are never expanded again. */

/** A lone `{name}` or `{report:FILE}`. Bounded, so that unclosed braces cost nothing. */
const VARIABLE = /\{([a-z_]{1,40}|report:[^{}\r\n]{1,300})\}/g;

export const VARIABLES = [
  'task',
  'previous_response',
  'iteration',
  'max_iterations',
  'movement_iteration',
  'report_dir',
  'user_inputs',
  'cycle_count',
] as const;

type Variable = (typeof VARIABLES)[number];

/** Values by variable; one that is left out stays as written. A function is called once a use. */
export type Values = Partial<Record<Variable, string | number | (() => string)>>;

/** Expands a template in one pass. `report` gives the text of `{report:FILE}`. */
export function expandTemplate(template: string, values: Values, report: (file: string) => string): string {
  if (!template.includes('{')) return template;
  return template.replace(VARIABLE, (written, name: string) => {
    if (name.startsWith('report:')) return report(name.slice('report:'.length).trim());
    if (!Object.hasOwn(values, name)) return written;
    const value = values[name as Variable];
    if (value === undefined) return written;
    return typeof value === 'function' ? value() : String(value);
  });
}

/** Does the template use the variable? */
export function usesVariable(template: string, name: Variable): boolean {
  return template.includes(`{${name}}`);
}

/** The names of all `{…}` in a template that look like a variable, in order; `{report:FILE}` and other braces are none. */
export function writtenVariables(template: string): string[] {
  return [...template.matchAll(/\{([A-Za-z_][A-Za-z0-9_]{0,39})\}/g)].map((match) => match[1] ?? '');
}

/** The files that a template reads with `{report:FILE}`. */
export function readReports(template: string): string[] {
  const names = [...template.matchAll(VARIABLE)].map((match) => match[1] ?? '');
  return names.filter((name) => name.startsWith('report:')).map((name) => name.slice('report:'.length).trim());
}
