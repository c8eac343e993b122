/** What a command cannot do without: each demands the settings that it uses, and no more. */

/**
 * Where the settings are used: `embedded` (demo, dev) brings the servers, `service` (api, worker) is given them; `database` (migrate, runs) and
 * `connect` use theirs alone, `doctor` says itself what is missing.
 */
export type ConfigMode = 'embedded' | 'service' | 'database' | 'connect' | 'doctor';

const NEEDS: Readonly<Record<ConfigMode, readonly Need[]>> = {
  embedded: ['script'],
  service: ['script', 'database', 'redis', 'gitlab', 'secret'],
  database: ['database'],
  connect: ['gitlab', 'secret'],
  doctor: [],
};
type Need = 'script' | 'database' | 'redis' | 'gitlab' | 'secret';

/** Settings that a mode needs and that are not set, a line each. */
export function missing(given: Record<string, unknown>, mode: ConfigMode): string[] {
  const problems: string[] = [];
  const need = (name: string, why: string): void => {
    if (given[name] === undefined) problems.push(`${name}: not set; ${why}`);
  };
  const needs = new Set(NEEDS[mode]);
  if (needs.has('script') && given['MODEL_PROVIDER'] === 'scripted')
    need('MODEL_SCRIPT', 'MODEL_PROVIDER=scripted reads its answers from it');
  if (needs.has('database')) need('DATABASE_URL', 'the embedded database serves one process only: give a PostgreSQL');
  if (needs.has('redis')) need('REDIS_URL', 'give a Redis or Valkey that all processes share');
  if (needs.has('gitlab')) {
    need('GITLAB_URL', 'the base URL of GitLab');
    need('GITLAB_TOKEN', 'an access token of the bot with the scope api');
  }
  if (needs.has('secret') && given['GITLAB_WEBHOOK_TOKEN'] === undefined)
    need(
      'GITLAB_WEBHOOK_SIGNING_TOKEN',
      'set it, or GITLAB_WEBHOOK_TOKEN: deliveries could not be told from forged ones',
    );
  return problems;
}

/** Does the mode look at how settings fit together? */
export function isWhole(mode: ConfigMode): boolean {
  return mode === 'embedded' || mode === 'service';
}
