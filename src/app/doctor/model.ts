/** The model: what can be seen of it without a call that costs. */
import { type Finding, failure, info, ok, warning } from './finding.ts';

export interface VendorAnswer {
  /** E.g. `anthropic`. */
  kind: string;
  /** HTTP status of its list of models; null: no answer. */
  status: number | null;
  /** Why there was no answer. */
  reason: string;
  /** Names it lists; null: not told. */
  models: string[] | null;
  /** Names the settings use of it. */
  used: string[];
}

/** `label`: who plans; `vendors`: empty where it needs none. */
export function modelFindings(label: string, vendors: readonly VendorAnswer[]): Finding[] {
  const first =
    vendors.length > 0
      ? ok('model', `Plans are made by ${label}.`)
      : info('model', `Plans are made by ${label}: nothing to be reached, nothing that costs.`);
  return [first, ...vendors.flatMap(vendorFindings)];
}

function vendorFindings({ kind, status, reason, models, used }: VendorAnswer): Finding[] {
  const prefix = kind.toUpperCase();
  if (status === null)
    return [
      failure(
        'model_reach',
        `${kind} does not answer: ${reason}.`,
        `see ${prefix}_BASE_URL, name resolution and firewall`,
      ),
    ];
  if (status === 401 || status === 403)
    return [failure('model_reach', `${kind} does not take the key (${status}).`, `see ${prefix}_API_KEY`)];
  if (status >= 300 || models === null)
    return [
      info(
        'model_reach',
        `${kind} answers (${status}), but does not list its models: whether the key is taken shows a plan.`,
      ),
    ];
  const unknown = used.filter((name) => !models.includes(name));
  if (unknown.length === 0)
    return [ok('model_reach', `${kind} takes the key and has ${used.join(', ') || 'its models'}.`)];
  return [
    warning(
      'model_reach',
      `${kind} takes the key, but does not list ${unknown.join(', ')}.`,
      'see MODEL_ID and the other names of models; an alias may not be listed and work all the same',
    ),
  ];
}
