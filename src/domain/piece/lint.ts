/** What can never work in a piece that loads (spec 1: What the linter says besides). */
import { type Findings, report } from './document.ts';
import { lintAggregates } from './lint-aggregates.ts';
import { lintGraph } from './lint-graph.ts';
import { lintWhen } from './lint-when.ts';
import { type LoadOptions, readPiece, sortedFindings } from './load.ts';
import { readReports } from './template.ts';
import type { AgentMovement, Diagnostic, Piece, PieceBundle } from './types.ts';

/** All findings of a piece file: those of the loader and, of a piece that loads, what can never work. Never throws. */
export function lintPiece(bundle: PieceBundle, options: LoadOptions = {}): Diagnostic[] {
  const { findings, piece } = readPiece(bundle, options);
  if (piece !== null) {
    lintAggregates(piece, findings);
    lintGraph(piece, findings);
    lintWhen(piece, findings);
    lintReports(piece, findings);
    lintEdit(piece, findings);
  }
  return sortedFindings(findings);
}

interface PlacedAgent {
  agent: AgentMovement;
  path: (string | number)[];
}

function agentsOf(piece: Piece): PlacedAgent[] {
  return piece.movements.flatMap((movement, index) => {
    const path = ['movements', index];
    if (movement.kind === 'agent') return [{ agent: movement, path }];
    if (movement.kind !== 'parallel') return [];
    return movement.subs.map((agent, sub) => ({ agent, path: [...path, 'parallel', sub] }));
  });
}

function lintReports(piece: Piece, findings: Findings): void {
  const agents = agentsOf(piece);
  const written = new Set(agents.flatMap(({ agent }) => reportNames(agent)));
  const templates = agents.map(({ agent, path }) => ({ path, template: agent.instructionTemplate }));
  for (const [index, { judge }] of piece.loopMonitors.entries()) {
    templates.push({ path: ['loop_monitors', index, 'judge'], template: judge.instructionTemplate });
  }
  for (const { path, template } of templates) {
    for (const name of new Set(readReports(template ?? ''))) {
      if (written.has(name)) continue;
      const message = `\`{report:${name}}\` is never filled: no movement writes that report`;
      report(findings, 'warning', 'report_never_written', [...path, 'instruction_template'], message, 'key');
    }
  }
}

function reportNames(agent: AgentMovement): string[] {
  if (agent.report === undefined) return [];
  return agent.report.form === 'single' ? [agent.report.name] : agent.report.files.map((file) => file.name);
}

function lintEdit(piece: Piece, findings: Findings): void {
  const first = agentsOf(piece).find(({ agent }) => agent.edit);
  if (first === undefined) return;
  const message = 'the service has no tool that writes: `edit: true` hands on its mode and nothing else';
  report(findings, 'notice', 'no-write-tools', [...first.path, 'edit'], message, 'key');
}
