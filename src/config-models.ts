/** Settings of models, prices, budgets and sub-agents (docs/models.md). Messages never repeat a value: it may be a key. */
import path from 'node:path';
import { z } from 'zod';
import { httpUrl, IN_A_HEADER, integer, millis, optionalInteger, secret } from './config-fields.ts';
import { MODEL_PROVIDERS, type ModelProvider, parseModelRef, withProvider } from './ports/model-ref.ts';

const apiKey = (vendor: string) => secret(`a key of ${vendor}: printable ASCII, no white space`, IN_A_HEADER);
const baseUrl = httpUrl('the http(s) base URL of the API');

const Headers = z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/));
const headers = json('a JSON object of header names and values', Headers, {});

const price = z.number().min(0).max(1e6);
const ModelTable = z.record(
  z.string().min(1),
  z.strictObject({
    context: z.int().min(1000).max(100_000_000).optional(),
    output: z.int().min(1).max(10_000_000).optional(),
    price: z
      .strictObject({ input: price, output: price, cached: price.optional(), cacheWrite: price.optional() })
      .optional(),
  }),
);
type ModelTable = z.infer<typeof ModelTable>;

const money = z
  .string()
  .trim()
  .refine((text) => /^\d{1,9}(\.\d{1,6})?$/.test(text) && Number(text) > 0, 'an amount above 0, e.g. 2.50')
  .optional()
  .transform((text) => (text === undefined ? null : Number(text)));
const tokens = optionalInteger('a whole number of tokens from 1', 1, 1e12);
const minutes = optionalInteger('a whole number of minutes from 1 to 34560', 1, 34_560);

export const modelSettings = {
  MODEL_PROVIDER: z
    .enum(MODEL_PROVIDERS, {
      error: 'offline (rule-based, no model), scripted (with MODEL_SCRIPT), anthropic, openai, google or compatible',
    })
    .default('offline'),
  MODEL_SCRIPT: z
    .string()
    .optional()
    .transform((file) => (file === undefined ? null : path.resolve(file))),
  MODEL_ID: z.string().trim().default(''),
  MODEL_RESEARCH: z.string().trim().default(''),
  MODEL_PLAN: z.string().trim().default(''),
  MODEL_JUDGE: z.string().trim().default(''),
  MODEL_FALLBACK: z.string().trim().default(''),
  MODELS_ALLOWED: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  MODEL_TABLE: json('a JSON object of models, see docs/models.md', ModelTable, {}),
  MODEL_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, 'a currency code such as USD')
    .default('USD'),
  MODEL_CONTEXT_TOKENS: integer('a whole number of tokens from 1000', 128_000, 1000, 100_000_000),
  MODEL_MAX_OUTPUT_TOKENS: optionalInteger('a whole number of tokens from 1', 1, 10_000_000),
  MODEL_FIRST_BYTE_MS: millis(120_000, 100, 3_600_000),
  MODEL_IDLE_MS: millis(180_000, 100, 3_600_000),
  MODEL_CALL_MS: millis(600_000, 100, 86_400_000),
  ANTHROPIC_API_KEY: apiKey('Anthropic'),
  ANTHROPIC_BASE_URL: baseUrl,
  ANTHROPIC_HEADERS: headers,
  OPENAI_API_KEY: apiKey('OpenAI'),
  OPENAI_BASE_URL: baseUrl,
  OPENAI_HEADERS: headers,
  GOOGLE_API_KEY: apiKey('Google AI'),
  GOOGLE_BASE_URL: baseUrl,
  GOOGLE_HEADERS: headers,
  COMPATIBLE_API_KEY: apiKey('the server'),
  COMPATIBLE_BASE_URL: baseUrl,
  COMPATIBLE_HEADERS: headers,
  BUDGET_RUN_TOKENS: tokens,
  BUDGET_RUN_MONEY: money,
  BUDGET_RUN_MINUTES: minutes,
  BUDGET_DAY_TOKENS: tokens,
  BUDGET_DAY_MONEY: money,
  BUDGET_DAY_MINUTES: minutes,
  DELEGATE_WIDTH: integer('a whole number from 1 to 16', 4, 1, 16),
  DELEGATE_TASKS: integer('a whole number from 0 to 100', 8, 0, 100),
  DELEGATE_DEPTH: integer('a whole number from 0 to 3', 1, 0, 3),
  DELEGATE_TOKENS: integer('a whole number of tokens from 1000', 200_000, 1000, 1e12),
};
const Shape = z.object(modelSettings);

type VendorName = Exclude<ModelProvider, 'offline' | 'scripted'>;

export interface VendorSettings {
  apiKey: string | null;
  /** Null: the vendor's own. */
  baseUrl: string | null;
  headers: Record<string, string>;
}

/** Null: no limit. */
interface Limits {
  tokens: number | null;
  money: number | null;
  wallTimeMs: number | null;
}

export interface ModelConfig {
  /** Those that can be asked, by name. */
  vendors: Partial<Record<VendorName, VendorSettings>>;
  /** `PROVIDER:MODEL` by role; a role that has none of its own is absent, `fallback` too. */
  roles: { default: string; research?: string; plan?: string; judge?: string; fallback?: string };
  /** What projects may choose among, `PROVIDER:MODEL`. */
  allowed: string[];
  /** By `PROVIDER:MODEL`. */
  table: ModelTable;
  currency: string;
  /** Of a model that the table does not name. */
  contextTokens: number;
  maxOutputTokens: number | null;
  limits: { firstByteMs: number; idleMs: number; totalMs: number };
  /** The operator's ceilings. */
  budget: { run: Limits; day: Limits };
  /** Bounds of research by sub-agents: at once, in all for one agent, how deep, and tokens each. */
  delegate: { width: number; tasks: number; depth: number; tokens: number };
}

export function toModelConfig(settings: z.infer<typeof Shape>): ModelConfig {
  const provider = settings.MODEL_PROVIDER;
  const full = (name: string): string => withProvider(name, provider);
  const roles: ModelConfig['roles'] = { default: isVendor(provider) ? full(settings.MODEL_ID) : settings.MODEL_ID };
  const own = {
    research: settings.MODEL_RESEARCH,
    plan: settings.MODEL_PLAN,
    judge: settings.MODEL_JUDGE,
    fallback: settings.MODEL_FALLBACK,
  };
  // Who plans without a model, or by a script, does all of it so.
  if (isVendor(provider))
    for (const role of ['research', 'plan', 'judge', 'fallback'] as const)
      if (own[role] !== '') roles[role] = full(own[role]);
  const table = Object.fromEntries(Object.entries(settings.MODEL_TABLE).map(([name, facts]) => [full(name), facts]));
  const named = [...Object.values(roles), ...Object.keys(table)];
  return {
    vendors: vendorsOf(settings),
    roles,
    allowed: isVendor(provider) ? [...new Set([...named, ...settings.MODELS_ALLOWED.map(full)])] : [],
    table,
    currency: settings.MODEL_CURRENCY,
    contextTokens: settings.MODEL_CONTEXT_TOKENS,
    maxOutputTokens: settings.MODEL_MAX_OUTPUT_TOKENS,
    limits: {
      firstByteMs: settings.MODEL_FIRST_BYTE_MS,
      idleMs: settings.MODEL_IDLE_MS,
      totalMs: settings.MODEL_CALL_MS,
    },
    budget: {
      run: limitsOf(settings.BUDGET_RUN_TOKENS, settings.BUDGET_RUN_MONEY, settings.BUDGET_RUN_MINUTES),
      day: limitsOf(settings.BUDGET_DAY_TOKENS, settings.BUDGET_DAY_MONEY, settings.BUDGET_DAY_MINUTES),
    },
    delegate: {
      width: settings.DELEGATE_WIDTH,
      tasks: settings.DELEGATE_TASKS,
      depth: settings.DELEGATE_DEPTH,
      tokens: settings.DELEGATE_TOKENS,
    },
  };
}

/** What is wrong with the settings of models together, a line each. */
export function modelProblems(settings: z.infer<typeof Shape>): string[] {
  const provider = settings.MODEL_PROVIDER;
  if (!isVendor(provider)) return [];
  const problems: string[] = [];
  const { vendors, roles, table, budget } = toModelConfig(settings);
  const missing = (name: VendorName): string =>
    name === 'compatible' ? 'COMPATIBLE_BASE_URL' : `${name.toUpperCase()}_API_KEY`;
  if (!vendors[provider]) problems.push(`${missing(provider)}: not set; MODEL_PROVIDER=${provider} needs it`);
  if (settings.MODEL_ID === '') problems.push(`MODEL_ID: not set; name the model that ${provider} is asked for`);
  for (const [role, name] of Object.entries(roles)) {
    const variable = role === 'default' ? 'MODEL_ID' : `MODEL_${role.toUpperCase()}`;
    const of = parseModelRef(name).provider;
    if (of !== null && isVendor(of) && of !== provider && !vendors[of])
      problems.push(`${variable}: names a model of ${of}, but ${missing(of)} is not set`);
    if ((budget.run.money !== null || budget.day.money !== null) && table[name]?.price === undefined)
      problems.push(
        `MODEL_TABLE: expected a price of the model of ${variable}; BUDGET_RUN_MONEY and BUDGET_DAY_MONEY cannot be kept without`,
      );
  }
  return problems;
}

function vendorsOf(settings: z.infer<typeof Shape>): ModelConfig['vendors'] {
  const { ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_API_KEY, COMPATIBLE_API_KEY } = settings;
  const vendors: ModelConfig['vendors'] = {};
  // A gateway in a vendor's place may need no key.
  if (ANTHROPIC_API_KEY !== null || settings.ANTHROPIC_BASE_URL !== null)
    vendors.anthropic = {
      apiKey: ANTHROPIC_API_KEY,
      baseUrl: settings.ANTHROPIC_BASE_URL,
      headers: settings.ANTHROPIC_HEADERS,
    };
  if (OPENAI_API_KEY !== null || settings.OPENAI_BASE_URL !== null)
    vendors.openai = { apiKey: OPENAI_API_KEY, baseUrl: settings.OPENAI_BASE_URL, headers: settings.OPENAI_HEADERS };
  if (GOOGLE_API_KEY !== null || settings.GOOGLE_BASE_URL !== null)
    vendors.google = { apiKey: GOOGLE_API_KEY, baseUrl: settings.GOOGLE_BASE_URL, headers: settings.GOOGLE_HEADERS };
  if (settings.COMPATIBLE_BASE_URL !== null)
    vendors.compatible = {
      apiKey: COMPATIBLE_API_KEY,
      baseUrl: settings.COMPATIBLE_BASE_URL,
      headers: settings.COMPATIBLE_HEADERS,
    };
  return vendors;
}

function isVendor(provider: ModelProvider): provider is VendorName {
  return provider !== 'offline' && provider !== 'scripted';
}

function limitsOf(tokenCount: number | null, amount: number | null, minuteCount: number | null): Limits {
  return { tokens: tokenCount, money: amount, wallTimeMs: minuteCount === null ? null : minuteCount * 60_000 };
}

function json<S extends z.ZodType>(expected: string, schema: S, empty: z.infer<S>) {
  return z
    .string()
    .optional()
    .transform((text, context): z.infer<S> => {
      if (text === undefined) return empty;
      const parsed = schema.safeParse(parse(text));
      if (parsed.success) return parsed.data;
      const where = parsed.error.issues[0]?.path.join('.') ?? '';
      context.addIssue({ code: 'custom', message: where === '' ? expected : `${expected} (wrong at ${where})` });
      return z.NEVER;
    });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
