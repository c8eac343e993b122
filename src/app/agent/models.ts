/** Which model answers (spec 2: Settings, `models`; docs/models.md): a movement's own, else its role's, as they stood when the run began (D9). */
import type { AgentMovement } from '../../domain/piece/types.ts';
import { type DataKind, isDataKind } from '../../domain/workplan/data-kinds.ts';
import { parseModelRef, toProvider } from '../../ports/model-ref.ts';
import type { RunSettings } from '../../ports/run-store.ts';

export type ModelRole = 'research' | 'plan' | 'judge';

export interface ChosenModel {
  /** `PROVIDER:MODEL`; empty: the default of the service. */
  model: string;
  /** Why the movement's own was passed over; null: it was not. */
  passedOver: string | null;
}

type Stored = Pick<RunSettings, 'models' | 'offered'>;

export function modelOfRole({ models }: Stored, role: ModelRole | null): string {
  const own = role !== null && Object.hasOwn(models, role) ? models[role] : undefined;
  return own ?? models['default'] ?? '';
}

/** Null: asked for nobody's movement (a loop monitor's judge). */
export function chooseModel(
  settings: Stored,
  movement: Pick<AgentMovement, 'name' | 'provider' | 'model' | 'produces'> | null,
): ChosenModel {
  if (movement === null) return { model: modelOfRole(settings, 'judge'), passedOver: null };
  const ofRole = modelOfRole(settings, roleOf(movement.produces));
  const { provider, model } = movement;
  if (provider === undefined && model === undefined) return { model: ofRole, passedOver: null };
  const own = ownModel(settings, provider, model);
  if (own !== null) return { model: own, passedOver: null };
  const written = [provider, model].filter((part) => part !== undefined).join(' ');
  const used = ofRole === '' ? "the service's own" : ofRole;
  return {
    model: ofRole,
    passedOver: `"${movement.name}" names the model ${written}, which is not offered here; ${used} is used.`,
  };
}

/** A provider that is set up may be named with any of its models, a model alone only where the operator named it. Null: not offered. */
function ownModel({ offered, models }: Stored, provider: string | undefined, model: string | undefined): string | null {
  if (offered === undefined) return null;
  if (provider === undefined) {
    const ref = parseModelRef(model ?? '');
    const full = `${ref.provider ?? offered.provider}:${ref.model}`;
    return offered.models.includes(full) ? full : null;
  }
  const known = toProvider(provider);
  if (known === null || !offered.providers.includes(known)) return null;
  if (model !== undefined) return `${known}:${model}`;
  // A provider alone means its model that the settings name first.
  return (
    [models['default'], ...Object.values(models), ...offered.models].find((name) => name?.startsWith(`${known}:`)) ??
    null
  );
}

const BY_KIND: Partial<Record<DataKind, ModelRole>> = {
  research: 'research',
  workplan: 'plan',
  review: 'judge',
  score: 'judge',
  coverage: 'judge',
  defect: 'judge',
  examination: 'judge',
};

/** The role by what is handed over: pieces name their agents as they like. Null: none of these. */
export function roleOf(produces: readonly string[]): ModelRole | null {
  const roles = produces.filter(isDataKind).map((kind) => BY_KIND[kind]);
  return roles.find((role) => role !== undefined) ?? null;
}
