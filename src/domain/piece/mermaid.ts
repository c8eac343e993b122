/** A piece as a Mermaid state diagram. Ids are generated, so that names in any script are safe; names and conditions are labels. */
import { conditionText } from './condition.ts';
import type { LoopMonitor, Movement, Piece, Rule } from './types.ts';

const MAX_LABEL = 140;

/** The diagram's text, ending with a line break; the same piece always gives the same text. */
export function renderGraph(piece: Piece): string {
  const ids = new Map<string, string>([
    ['COMPLETE', 'complete'],
    ['ABORT', 'abort'],
  ]);
  for (const [index, movement] of piece.movements.entries()) ids.set(movement.name, `m${index + 1}`);
  const idOf = (name: string): string => ids.get(name) ?? 'abort';
  const edges = [
    `[*] --> ${idOf(piece.initialMovement)}`,
    // Entries from outside: nothing else may lead to the movement that revises.
    ...(piece.teleports ?? []).map(({ name, next }) => edge('[*]', idOf(next), `teleport ${name}`)),
    ...piece.movements.flatMap((movement) => edgesOf(movement, idOf)),
    ...piece.loopMonitors.flatMap((monitor, index) => monitorEdges(monitor, `loop${index + 1}`, idOf)),
  ];
  const states = [
    ...piece.movements.flatMap((movement) => stateOf(movement, idOf(movement.name))),
    ...piece.loopMonitors.flatMap((monitor, index) => monitorState(monitor, `loop${index + 1}`)),
  ];
  const ends = ['COMPLETE', 'ABORT'].filter((name) => edges.some((edge) => edge.includes(`--> ${idOf(name)} `)));
  const endStates = ends.map((name) => `state "${name}" as ${idOf(name)}`);
  const lines = [...states, ...endStates, ...edges, ...ends.map((name) => `${idOf(name)} --> [*]`), ...stylesOf(piece)];
  return `stateDiagram-v2\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function stateOf(movement: Movement, id: string): string[] {
  const title = `state "${label(movement.name)}" as ${id}`;
  switch (movement.kind) {
    case 'gate':
      return [title, `${id} : gate ${movement.gate}`];
    case 'action':
      return [title, `${id} : action ${movement.action}`];
    case 'agent':
      return [title];
    case 'parallel': {
      // A composite state without content cannot be drawn.
      if (movement.subs.length === 0) return [title, `${id} : parallel, no sub-movements`];
      const subs = movement.subs.flatMap((sub, index) => [
        ...(index > 0 ? ['  --'] : []),
        `  state "${label(sub.name)}" as ${id}s${index + 1}`,
      ]);
      return [`${title} {`, ...subs, '}'];
    }
    default:
      return movement satisfies never;
  }
}

function edgesOf(movement: Movement, idOf: (name: string) => string): string[] {
  const id = idOf(movement.name);
  // A rule that asks people runs the same movement again; its `next` is never followed.
  const edges = movement.rules.map((rule) => edge(id, rule.requiresUserInput ? id : idOf(rule.next), ruleText(rule)));
  return movement.onFailure === undefined ? edges : [...edges, edge(id, idOf(movement.onFailure), 'on failure')];
}

function ruleText(rule: Rule): string {
  const { kind } = rule.condition;
  const text = kind === 'text' ? conditionText(rule.condition) : rule.text;
  const notes = [
    ...(rule.requiresUserInput ? ['asks people, then runs again'] : []),
    ...(rule.interactiveOnly ? ['interactive only'] : []),
  ];
  return notes.length > 0 ? `${text} (${notes.join(', ')})` : text;
}

function monitorState(monitor: LoopMonitor, id: string): string[] {
  return [
    `state "loop monitor" as ${id}`,
    `${id} : ${label(`${monitor.cycle.join(' → ')}, ${monitor.threshold} times`)}`,
  ];
}

function monitorEdges(monitor: LoopMonitor, id: string, idOf: (name: string) => string): string[] {
  const last = monitor.cycle.at(-1) ?? '';
  return [
    edge(idOf(last), id, `cycle ran ${monitor.threshold} times`),
    ...monitor.judge.rules.map((rule) => edge(id, idOf(rule.next), ruleText(rule))),
  ];
}

function edge(from: string, to: string, text: string): string {
  // Quotes end a state's title, but not an edge's text: conditions stay readable.
  return `${from} --> ${to} : ${label(text).replaceAll(entity('"'), '"')}`;
}

/** Gates and loop monitors are drawn with a dashed line. A style cannot be put on or into composite states. */
function stylesOf(piece: Piece): string[] {
  const gates = piece.movements.flatMap((movement, index) => (movement.kind === 'gate' ? [`m${index + 1}`] : []));
  const monitors = piece.loopMonitors.map((_, index) => `loop${index + 1}`);
  return [
    ...(gates.length > 0 ? ['classDef gate stroke-dasharray: 6 3', `class ${gates.join(',')} gate`] : []),
    ...(monitors.length > 0 ? ['classDef monitor stroke-dasharray: 2 2', `class ${monitors.join(',')} monitor`] : []),
  ];
}

/**
 * A text as a label: on one line, shortened, and with an entity for every sign that the diagram's grammar or its Markdown could read as
 * something else. Letters of all scripts stay.
 */
function label(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .trim();
  const signs = Array.from(line);
  const short = signs.length > MAX_LABEL ? `${signs.slice(0, MAX_LABEL - 1).join('')}…` : line;
  const safe = short
    .replace(/[^\p{L}\p{M}\p{N}\p{Emoji_Presentation} [\]{},.'!?()/+=_→…、。（）「」・ー-]/gu, entity)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, entity)
    .replace(/--/g, `-${entity('-')}`)
    .replace(/\[\[/g, `[${entity('[')}`)
    // A list at a label's beginning, and a line that would be read as the diagram's direction.
    .replace(/^[-+](?= )|(?<=^\d{1,9})[.)](?= )/, entity)
    .replace(/(?<=direction)\s+(?=(?:TB|BT|RL|LR))/gi, entity(' '));
  return safe === '' ? entity(' ') : safe;
}

function entity(sign: string): string {
  return sign === ' ' ? '#160;' : `#${sign.codePointAt(0) ?? 32};`;
}
