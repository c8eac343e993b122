/** The instance and the service's token. */
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { GitLabSetup, InstanceFacts, TokenFacts } from '../../ports/gitlab-setup.ts';
import { type Finding, failure, guarded, info, ok, warning } from './finding.ts';

export interface GitLabChecks {
  gitlab: Pick<GitLabPort, 'me' | 'baseUrl'>;
  setup: GitLabSetup;
  now: () => Date;
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;
/** Signed deliveries are refused beyond five minutes. */
const CLOCK_OFF_MS = 300_000;
const CLOCK_NEAR_MS = 30_000;

export async function checkGitLab(deps: GitLabChecks): Promise<Finding[]> {
  const { gitlab, setup } = deps;
  const reached = await guarded('gitlab', 'see GITLAB_URL', async () => {
    const before = deps.now().getTime();
    const facts = await setup.instance();
    return [...versionFindings(gitlab.baseUrl, facts), ...clockFindings(facts, before, deps.now().getTime())];
  });
  // Without an answer everything else would only say the same again; a refused token is told by its own check.
  const away = reached.some((finding) => finding.level === 'failure' && finding.check === 'gitlab');
  const token = await guarded('token', 'see GITLAB_TOKEN', async () => {
    const me = await gitlab.me();
    return [ok('token', `It is the token of @${me.username} (${me.id})${me.bot ? ', a bot' : ''}.`)];
  });
  if (token.some((finding) => finding.level === 'failure')) return away ? reached : [...reached, ...token];
  return [
    ...reached,
    ...token,
    ...(await guarded('token', 'see GITLAB_TOKEN', async () => tokenFindings(await setup.token(), deps.now()))),
    ...(await guarded('graphql', 'see that /api/graphql is let through', async () => graphqlFindings(setup))),
    ...(await guarded('silent_mode', 'ask an administrator', async () => silentFindings(setup))),
  ];
}

function versionFindings(baseUrl: string, { version, enterprise }: InstanceFacts): Finding[] {
  const edition = enterprise === null ? '' : enterprise ? ', Enterprise Edition' : ', Community Edition';
  const findings = [
    ok('gitlab', `${baseUrl} is GitLab ${version}${edition}.`),
    info(
      'scoped_labels',
      enterprise === false
        ? 'Scoped labels exclude one another with a licence only: the service itself keeps one status label on an item.'
        : 'Whether scoped labels exclude one another depends on the licence; the service itself keeps one status label on an item.',
    ),
  ];
  const older = (wanted: string): boolean => isOlder(version, wanted);
  if (older('16.11'))
    findings.push(
      warning(
        'gitlab_version',
        `GitLab ${version} does not tell new comments from edited ones (16.11) and does not warn of expiring tokens.`,
        'upgrade GitLab to 16.11 or newer',
      ),
    );
  if (older('17.4'))
    findings.push(
      info(
        'gitlab_version',
        `GitLab ${version} sends no Idempotency-Key (17.4): deliveries are known by their content.`,
      ),
    );
  if (older('17.7')) findings.push(info('gitlab_version', `GitLab ${version} does not have the role Planner (17.7).`));
  return findings;
}

function isOlder(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number);
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}

/** The header counts whole seconds; what the request took is in favour of both clocks. */
function clockFindings({ clock }: InstanceFacts, before: number, after: number): Finding[] {
  if (clock === null) return [info('clock', 'GitLab sends no Date header, so the clocks cannot be compared.')];
  const theirs = Date.parse(clock);
  const off = Math.max(0, before - theirs - 1000, theirs - after);
  return clockOff('clock', 'GitLab', off);
}

export function clockOff(check: string, whose: string, offMs: number): Finding[] {
  const said = `This machine's clock and that of ${whose} are ${Math.round(offMs / 1000)} s apart`;
  const remedy = 'set the clocks by NTP';
  if (offMs >= CLOCK_OFF_MS) return [failure(check, `${said}: signed deliveries are refused beyond 300 s.`, remedy)];
  if (offMs >= CLOCK_NEAR_MS) return [warning(check, `${said}.`, remedy)];
  return [ok(check, `This machine's clock and that of ${whose} agree.`)];
}

function tokenFindings(token: TokenFacts | null, now: Date): Finding[] {
  if (token === null) return [info('token', 'GitLab does not tell scopes and expiry of this token.')];
  const findings: Finding[] = [];
  if (!token.scopes.includes('api')) {
    const scopes = token.scopes.join(', ') || 'none';
    findings.push(
      failure('token_scopes', `The scope api is missing (it has: ${scopes}).`, 'make a new token with the scope api'),
    );
  } else findings.push(ok('token_scopes', 'The token has the scope api.'));
  if (token.expiresAt === null) return [...findings, ok('token_expiry', 'The token does not expire.')];
  const days = Math.ceil((Date.parse(token.expiresAt) - now.getTime()) / DAY_MS);
  const message = `The token expires on ${token.expiresAt}, in ${Math.max(0, days)} days.`;
  findings.push(
    days > SOON_DAYS
      ? ok('token_expiry', message)
      : warning('token_expiry', message, 'make a new token, set GITLAB_TOKEN and restart all processes'),
  );
  return findings;
}

async function graphqlFindings(setup: GitLabSetup): Promise<Finding[]> {
  const state = await setup.graphql();
  if (state === 'tells_editors') return [ok('graphql', 'GraphQL tells who edited a comment last.')];
  const why = state === 'absent' ? 'GraphQL cannot be had' : 'This GitLab is too old to tell who edited a comment last';
  return [
    warning(
      'graphql',
      `${why}: an answer that somebody else rewrote counts as its author's.`,
      state === 'absent' ? 'let POST /api/graphql through to GitLab' : 'upgrade GitLab',
    ),
  ];
}

async function silentFindings(setup: GitLabSetup): Promise<Finding[]> {
  const silent = await setup.silentMode();
  if (silent === null)
    return [
      info('silent_mode', 'Whether GitLab is in silent mode is told to administrators only; then it sends no events.'),
    ];
  if (!silent) return [ok('silent_mode', 'GitLab is not in silent mode.')];
  return [
    failure(
      'silent_mode',
      'GitLab is in silent mode: it sends no events.',
      'have an administrator turn silent mode off',
    ),
  ];
}
