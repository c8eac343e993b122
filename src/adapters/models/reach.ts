/** Asks a vendor for its list of models, which costs nothing, to see whether the key is taken. */

export interface VendorAddress {
  kind: 'anthropic' | 'openai' | 'google' | 'compatible';
  apiKey: string | null;
  /** Null: the vendor's own. */
  baseUrl: string | null;
  headers: Readonly<Record<string, string>>;
}

/** `models`: their names; null where the answer does not tell. `status` null: no answer, for `reason`. */
export type Reached = { status: number; models: string[] | null } | { status: null; reason: string };

const OWN: Readonly<Record<VendorAddress['kind'], string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  compatible: '',
};

const LIMIT_MS = 10_000;

export async function reachVendor(vendor: VendorAddress): Promise<Reached> {
  const base = vendor.baseUrl ?? OWN[vendor.kind];
  const query = vendor.kind === 'anthropic' ? '?limit=1000' : vendor.kind === 'google' ? '?pageSize=1000' : '';
  try {
    const response = await fetch(`${base}/models${query}`, {
      headers: { ...keyHeaders(vendor), ...vendor.headers },
      // A redirect would carry the key to wherever it points.
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    return { status: response.status, models: response.ok ? namesIn(body) : null };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : null;
    return { status: null, reason: cause ?? (error instanceof Error ? error.message : String(error)) };
  }
}

function keyHeaders({ kind, apiKey }: VendorAddress): Record<string, string> {
  if (apiKey === null) return {};
  if (kind === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  if (kind === 'google') return { 'x-goog-api-key': apiKey };
  return { authorization: `Bearer ${apiKey}` };
}

/** `{data: [{id}]}` of most, `{models: [{name: "models/…"}]}` of Google. */
function namesIn(body: unknown): string[] | null {
  const { data, models } = (body ?? {}) as { data?: unknown; models?: unknown };
  const list = Array.isArray(data) ? data : Array.isArray(models) ? models : null;
  if (list === null) return null;
  return list.flatMap((entry: { id?: unknown; name?: unknown } | null) => {
    const name = entry?.id ?? entry?.name;
    return typeof name === 'string' ? [name.replace(/^models\//, '')] : [];
  });
}
