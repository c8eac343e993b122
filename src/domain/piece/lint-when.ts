/** `when` rules that can never win, values that no rule handles, and variables that nobody writes (spec 1: Extensions; spec 3). */
import { variableOf } from './check-when.ts';
import { type Findings, type Path, report } from './document.ts';
import { holds, readNames } from './expression.ts';
import { runsNoAgent } from './rules.ts';
import type { Expression, Literal, Movement, Piece, Rule, Variable } from './types.ts';
import { valuesOf } from './variables.ts';

/** Combinations of values that are tried out. */
const MAX_COMBINATIONS = 1000;

export function lintWhen(piece: Piece, findings: Findings): void {
  for (const list of ruleLists(piece)) lintList(list, piece, findings);
  for (const { message, path } of routeGaps(piece))
    report(findings, 'warning', 'unhandled_value', path, message, 'key');
  lintWriters(piece, findings);
}

/**
 * Values that a movement's rules leave without a way to go on: where all of them are `when` rules over variables whose values are known.
 * In a piece that replans they are errors (spec 3).
 */
export function routeGaps(piece: Piece): { path: Path; message: string }[] {
  return ruleLists(piece).flatMap(({ isSub, path, produces, rules }) => {
    if (isSub || !rules.every((rule) => rule.condition.kind === 'when')) return [];
    const names = namesOf(rules);
    // What a movement before produced is not known here.
    if (names.includes('produced') && produces.length === 0) return [];
    const worlds = combinations(names, piece, produces, []);
    const open = worlds?.find((read) => !rules.some((rule) => !rule.interactiveOnly && wins(rule, read)));
    if (open === undefined) return [];
    const values = names.map((name) => `${name} = ${JSON.stringify(open(name))}`).join(', ');
    return [
      {
        path,
        message: `no rule handles ${values}: the run would be aborted; add a rule, or \`when: true\` as the last`,
      },
    ];
  });
}

interface RuleList {
  rules: Rule[];
  path: Path;
  produces: readonly string[];
  isSub: boolean;
}

function ruleLists(piece: Piece): RuleList[] {
  const movements = piece.movements.flatMap((movement, index) => {
    const path = ['movements', index];
    const produces = producesOf(movement);
    const own = { rules: movement.rules, path: [...path, 'rules'], produces, isSub: false };
    if (movement.kind !== 'parallel') return [own];
    return [
      own,
      ...movement.subs.map((sub, position) => ({
        rules: sub.rules,
        path: [...path, 'parallel', position, 'rules'],
        produces: producesOf(sub),
        isSub: true,
      })),
    ];
  });
  const judges = piece.loopMonitors.map(({ judge }, index) => ({
    rules: judge.rules,
    path: ['loop_monitors', index, 'judge', 'rules'],
    produces: [],
    isSub: true,
  }));
  return [...movements, ...judges].filter(({ rules }) => rules.some((rule) => rule.condition.kind === 'when'));
}

function producesOf(movement: Movement): readonly string[] {
  return movement.kind === 'agent' && !runsNoAgent(movement) ? movement.produces : [];
}

type Read = (name: string) => Literal;

function wins(rule: Rule, read: Read): boolean {
  return rule.condition.kind === 'when' && holds(rule.condition.expression, read);
}

function lintList({ path, produces, rules }: RuleList, piece: Piece, findings: Findings): void {
  // A variable that was never written is a value too.
  const worlds = combinations(namesOf(rules), piece, produces, [null]);
  if (worlds === null) return;
  for (const rule of rules) {
    const isWhen = rule.condition.kind === 'when';
    const place = [...path, rule.index, isWhen ? 'when' : 'condition'];
    const mine = isWhen ? worlds.filter((read) => wins(rule, read)) : worlds;
    if (mine.length === 0) {
      const message = `this rule never holds, whatever values the variables have: ${shorten(rule.text)}`;
      report(findings, 'warning', 'never_matches', place, message);
      continue;
    }
    const before = rules.filter(
      (other) =>
        (other.index < rule.index || !isWhen) && other !== rule && (!other.interactiveOnly || rule.interactiveOnly),
    );
    if (!mine.every((read) => before.some((other) => wins(other, read)))) continue;
    const message = `this rule never wins: \`when\` rules that are tried before it hold whenever it does`;
    report(findings, 'warning', 'shadowed_rule', place, message);
  }
}

function namesOf(rules: Rule[]): string[] {
  const expressions: Expression[] = rules.flatMap(({ condition }) =>
    condition.kind === 'when' ? [condition.expression] : [],
  );
  return [...new Set(expressions.flatMap(readNames))];
}

/** Every combination of the variables' values, and of `besides`; null where they cannot be counted up, or are too many. */
function combinations(names: string[], piece: Piece, produces: readonly string[], besides: Literal[]): Read[] | null {
  const known = new Map((piece.variables ?? []).map((variable): [string, Variable] => [variable.name, variable]));
  let worlds: Map<string, Literal>[] = [new Map()];
  for (const name of names) {
    const variable = variableOf(name, { variables: known, produces });
    const values = variable === null ? null : valuesOf(variable);
    if (values === null || worlds.length * (values.length + besides.length) > MAX_COMBINATIONS) return null;
    worlds = worlds.flatMap((world) => [...values, ...besides].map((value) => new Map(world).set(name, value)));
  }
  return worlds.map((world) => (name) => world.get(name) ?? null);
}

function lintWriters(piece: Piece, findings: Findings): void {
  const written = new Set<string>();
  for (const [index, movement] of piece.movements.entries()) {
    const agents = movement.kind === 'parallel' ? movement.subs : movement.kind === 'agent' ? [movement] : [];
    const here = new Set<string>();
    for (const [position, agent] of agents.entries()) {
      for (const { name } of agent.inputs?.globals ?? []) {
        if (here.has(name)) {
          const message = `\`${name}\` is written by another sub-movement too: the last in file order counts`;
          const path = ['movements', index, 'parallel', position, 'inputSchema', 'globalInputs'];
          report(findings, 'warning', 'variable_written_twice', path, message, 'key');
        }
        here.add(name);
        written.add(name);
      }
    }
  }
  // Of a piece that replans the execution itself counts and writes some (spec 3).
  if ((piece.teleports ?? []).length > 0) return;
  for (const { path, rules } of ruleLists(piece)) {
    for (const name of namesOf(rules)) {
      if (name === 'produced' || written.has(name)) continue;
      const message = `\`${name}\` is read here, and no movement writes it: name it under \`globalInputs\` of one`;
      report(findings, 'warning', 'variable_never_written', path, message, 'key');
    }
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
