/** Composition of `planwright check`: the checks that a run makes of its Workplan, against a repository on this machine. */
import { openLocalSnapshot } from '../adapters/repository/local-snapshot.ts';
import { createSystemClock } from '../adapters/system/clock.ts';
import { readTextFile } from '../adapters/system/text-file.ts';
import { repositoryFacts } from '../app/plan-facts.ts';
import { checkWorkplan } from '../domain/workplan/checks.ts';
import { Workplan } from '../domain/workplan/schema.ts';
import type { ScoreCheck } from '../domain/workplan/score-schema.ts';
import { PermanentFailure } from '../ports/failures.ts';

export interface CheckAnswer {
  /** Full id; null: a plain folder, or the plan has no such form that files could be compared. */
  commit: string | null;
  /** False: the file does not say which questions were asked, so decisions were not compared with them. */
  questionsKnown: boolean;
  checks: ScoreCheck[];
}

/**
 * `file`: JSON of a Workplan, or of a status as the API and the demo print it (`workplan`, `questions`). Throws `file_unreadable`,
 * `no_workplan`, `folder_missing`, `no_git_repository`, `commit_missing`.
 */
export async function checkPlanFile(options: {
  file: string;
  folder: string;
  at: string | null;
}): Promise<CheckAnswer> {
  const { plan, questions } = readPlan(options.file, await readTextFile(options.file));
  const parsed = Workplan.safeParse(plan);
  if (!parsed.success) {
    const checks = parsed.error.issues.map(({ path, message }) => ({
      code: 'schema',
      ok: false,
      message: `${path.map(String).join('.') || 'workplan'}: ${message}`,
    }));
    return { commit: null, questionsKnown: false, checks };
  }
  const cited = [...new Set(parsed.data.findings.flatMap(({ commit }) => commit ?? []))];
  const { folder, at } = options;
  const snapshot = await openLocalSnapshot({ folder, at, preferred: cited, clock: createSystemClock() });
  try {
    const commit = snapshot.commit === '' ? null : snapshot.commit;
    const asked = new Set(questions?.map(({ id }) => id));
    const answered = new Set(questions?.filter(({ answered }) => answered).map(({ id }) => id));
    const facts = { ...repositoryFacts(snapshot), commit, asked, answered };
    const checks = checkWorkplan(parsed.data, facts, { questions: questions !== null });
    return { commit, questionsKnown: questions !== null, checks };
  } finally {
    snapshot.close();
  }
}

interface PlanFile {
  plan: unknown;
  questions: { id: string; answered: boolean }[] | null;
}

function readPlan(file: string, text: string): PlanFile {
  const value = parse(file, text);
  const holder = isRecord(value) && isRecord(value['workplan']) ? value : { workplan: value };
  const plan = holder['workplan'];
  if (!isRecord(plan) || !['goal', 'requirements', 'units'].some((key) => key in plan))
    throw new PermanentFailure(
      'no_workplan',
      `${file}: expected JSON of a Workplan (goal, requirements, units, …), or with one under "workplan"; there is none`,
    );
  const { questions, answers } = holder as Record<string, unknown>;
  const answered = new Set((Array.isArray(answers) ? answers : []).map((one) => isRecord(one) && one['questionId']));
  return {
    plan,
    questions: Array.isArray(questions)
      ? questions.flatMap((one) => {
          const id = isRecord(one) ? one['id'] : null;
          return typeof id === 'string' ? [{ id, answered: one['state'] === 'answered' || answered.has(id) }] : [];
        })
      : null,
  };
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PermanentFailure('no_workplan', `${file}: expected JSON, ${error instanceof Error ? error.message : ''}`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
