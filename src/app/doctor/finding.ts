/** What `planwright doctor` finds: each with its remedy (design: Commands). */
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';

export interface Finding {
  /** What was looked at, e.g. `token`. Stable. */
  check: string;
  /** `info`: to be known, nothing to do. */
  level: 'ok' | 'info' | 'warning' | 'failure';
  message: string;
  /** What to do; of warnings and failures. */
  remedy?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message });
export const info = (check: string, message: string): Finding => ({ check, level: 'info', message });
export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  level: 'warning',
  message,
  remedy,
});
export const failure = (check: string, message: string, remedy: string): Finding => ({
  check,
  level: 'failure',
  message,
  remedy,
});

const REMEDIES: Readonly<Record<string, string>> = {
  gitlab_unauthorized:
    'GITLAB_TOKEN is wrong, expired or revoked: make a new access token of the bot with the scope api',
  gitlab_forbidden: 'see that the bot is not blocked and its token has the scope api',
  gitlab_not_found: 'see that GITLAB_URL is the base address of GitLab, with its path if it has one',
  gitlab_redirected: 'set GITLAB_URL to the address that GitLab itself uses',
  gitlab_bad_answer: 'something else answers there: see GITLAB_URL, and the proxy in between',
  gitlab_unreachable: 'see GITLAB_URL, name resolution and firewall; behind a proxy set GITLAB_PROXY',
  gitlab_timeout: 'see whether GitLab is up, and the proxy in between (GITLAB_PROXY)',
  gitlab_tls: 'give the authority that signed the certificate: GITLAB_CA_FILE=/path/ca.pem',
  gitlab_rate_limited: 'wait, and raise the rate limit of the bot in GitLab',
};

/** Runs a check; what it throws is a finding as well. */
export async function guarded(check: string, remedy: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    const known =
      error instanceof PermanentFailure || error instanceof TransientFailure ? REMEDIES[error.code] : undefined;
    return [failure(check, error instanceof Error ? error.message : String(error), known ?? remedy)];
  }
}

/** The worst decides: 1 with a failure. */
export function exitCode(findings: readonly Finding[]): 0 | 1 {
  return findings.some((finding) => finding.level === 'failure') ? 1 : 0;
}
