/** The prompt of a movement and of a loop monitor's judge (spec 1: Prompt of a movement, top to bottom). */
import type { RunState } from '../run/state.ts';
import { closingSections, statusSection } from './sections.ts';
import { expandTemplate, usesVariable, type Values } from './template.ts';
import { type EngineTexts, engineTexts } from './texts.ts';
import type { AgentMovement, Piece, PieceBundle } from './types.ts';
import { renderUserInputs } from './user-inputs.ts';

/** `instructions`: the agent file's text, which stands before `---`; null without an agent. `text`: all the rest. */
export interface Prompt {
  instructions: string | null;
  text: string;
}

/** Builds a movement's or sub-movement's prompt. `place`: the working directory line, here item reference and commit. */
export function buildPrompt(input: {
  piece: Piece;
  bundle: PieceBundle;
  state: RunState;
  movement: AgentMovement;
  isSub: boolean;
  place: string;
}): Prompt {
  const { movement, piece, state } = input;
  const closing = closingSections(movement, piece.language, state.interactive);
  const counted = input.isSub ? (state.current?.name ?? movement.name) : movement.name;
  const text = assemble({
    piece,
    state,
    place: input.place,
    name: movement.name,
    iteration: state.current?.iteration ?? state.iteration,
    movementIteration: count(state, counted),
    template: movement.instructionTemplate,
    previous: state.previousResponse,
    passPrevious: movement.passPreviousResponse,
    extra: {},
    closing,
  });
  return { instructions: agentText(input.bundle, movement.agentFile), text };
}

/** Builds the prompt of a loop monitor's judge, whose movement is `loop_judge`. */
export function buildLoopPrompt(input: {
  piece: Piece;
  bundle: PieceBundle;
  state: RunState;
  monitor: number;
  cycleCount: number;
  place: string;
}): Prompt {
  const { piece, state } = input;
  const monitor = piece.loopMonitors[input.monitor];
  if (monitor === undefined) throw new RangeError(`the piece has no loop monitor ${input.monitor}`);
  const texts = engineTexts(piece.language);
  const text = assemble({
    piece,
    state,
    place: input.place,
    name: 'loop_judge',
    iteration: state.phase.kind === 'judging' ? state.phase.loop.iteration : state.iteration,
    movementIteration: count(state, 'loop_judge'),
    template: monitor.judge.instructionTemplate ?? texts.loopDefault,
    previous: state.previousResponse,
    passPrevious: true,
    extra: { cycle_count: input.cycleCount },
    closing: statusSection(monitor.judge.rules, state.interactive, texts),
  });
  return { instructions: agentText(input.bundle, monitor.judge.agentFile), text };
}

interface Parts {
  piece: Piece;
  state: RunState;
  place: string;
  name: string;
  iteration: number;
  movementIteration: number;
  template: string | undefined;
  previous: string;
  passPrevious: boolean;
  extra: Values;
  closing: string;
}

function assemble(parts: Parts): string {
  const { piece, state } = parts;
  const texts = engineTexts(piece.language);
  const template = parts.template ?? '';
  const userInputs =
    state.userInputs.length > 0 || state.assume ? renderUserInputs(state.userInputs, state.assume, texts) : '';
  let text = contextBlock(parts, texts);
  if (template.trim() !== '') {
    text += `\n\n${expandTemplate(
      template,
      {
        task: state.goal,
        previous_response: parts.previous,
        iteration: parts.iteration,
        max_iterations: piece.maxIterations,
        movement_iteration: parts.movementIteration,
        report_dir: state.reportDir,
        user_inputs: userInputs,
        ...parts.extra,
      },
      (file) => reportText(state, file, texts),
    ).trimEnd()}`;
  }
  if (!usesVariable(template, 'task')) text += `\n\n${texts.task}\n\n${state.goal}`;
  if (parts.passPrevious && parts.previous !== '' && !usesVariable(template, 'previous_response')) {
    text += `\n\n${texts.previousResponse}\n\n${parts.previous}`;
  }
  if (userInputs !== '' && !usesVariable(template, 'user_inputs')) text += `\n\n${texts.userInputs}\n\n${userInputs}`;
  return parts.closing === '' ? text : `${text}\n\n${parts.closing}`;
}

function contextBlock(parts: Parts, texts: EngineTexts): string {
  return `${texts.context}
- ${texts.workingDirectory}: ${parts.place}
- ${texts.piece}: ${parts.piece.name}
- ${texts.movement}: ${parts.name}
- ${texts.iteration}: ${parts.iteration} / ${parts.piece.maxIterations}
- ${texts.movementIteration(parts.movementIteration)}`;
}

function count(state: RunState, movement: string): number {
  return Object.hasOwn(state.movementIteration, movement) ? (state.movementIteration[movement] ?? 1) : 1;
}

function reportText(state: RunState, file: string, texts: EngineTexts): string {
  return Object.hasOwn(state.reports, file) ? (state.reports[file] ?? texts.reportMissing) : texts.reportMissing;
}

function agentText(bundle: PieceBundle, file: string | undefined): string | null {
  if (file === undefined || !Object.hasOwn(bundle.files, file)) return null;
  return bundle.files[file] ?? null;
}
