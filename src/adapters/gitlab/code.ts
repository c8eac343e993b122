import { Branches, Commits, ProjectHooks, Repositories, RepositoryFiles } from '@gitbeaker/rest';
import { z } from 'zod';
import { TransientFailure } from '../../ports/failures.ts';
import type { GitLabPort, HookSettings } from '../../ports/gitlab.ts';
import { list, one, oneOrNull } from './calls.ts';
import { exchangeFailure } from './failures.ts';
import { listOptions } from './lists.ts';
import type { Resource } from './resource.ts';
import { BranchAnswer, CommitAnswer, HookAnswer } from './schemas.ts';

type CodeCalls = Pick<GitLabPort, 'headCommit' | 'fileHistory' | 'rawFile' | 'archive'>;
type HookCalls = Pick<GitLabPort, 'hooks' | 'createHook' | 'updateHook'>;

const MAX_PER_PAGE = 100;

/** The repository of a project. */
export function codeCalls(service: Resource): CodeCalls {
  const branches = new Branches(service);
  const commits = new Commits(service);
  const files = new RepositoryFiles(service);
  const repositories = new Repositories(service);

  return {
    async headCommit(projectId, branch, options) {
      // An empty name would ask for the list of branches.
      if (branch === '') return null;
      return oneOrNull('branch', BranchAnswer, options, () => branches.show(projectId, branch));
    },
    fileHistory: (projectId, sha, path, limit, options) => {
      const query = { refName: sha, path, page: 1, perPage: Math.min(Math.max(limit, 1), MAX_PER_PAGE) };
      return one('commits', z.array(CommitAnswer), options, () => commits.all(projectId, query));
    },
    async rawFile(projectId, ref, path, options) {
      if (path === '') return null;
      const work = (): Promise<unknown> => files.showRaw(projectId, path, ref);
      return oneOrNull('file', z.string(), options, work, { asText: true });
    },
    async archive(projectId, sha, options) {
      // Large files kept beside the repository are not read for a plan.
      const query = { sha, fileType: 'tar.gz', asStream: true, includeLfsBlobs: false } as const;
      const work = (): Promise<unknown> => repositories.showArchive(projectId, query as never);
      const stream = await one('archive', z.custom<AsyncIterable<Uint8Array>>(isStream), options, work);
      return translated(stream, `/projects/${projectId}/repository/archive.tar.gz`, options?.signal);
    },
  };
}

/** A project's webhooks. Tokens that are null are left as they are in GitLab. */
export function hookCalls(service: Resource): HookCalls {
  const hooks = new ProjectHooks(service);
  const settings = (hook: HookSettings): Record<string, string | boolean> => ({
    pushEvents: false,
    issuesEvents: true,
    confidentialIssuesEvents: true,
    noteEvents: true,
    confidentialNoteEvents: true,
    mergeRequestsEvents: true,
    emojiEvents: true,
    resourceAccessTokenEvents: true,
    enableSslVerification: true,
    ...(hook.description === undefined ? {} : { name: 'Planwright', description: hook.description }),
    ...(hook.token === null ? {} : { token: hook.token }),
    ...(hook.signingToken === null ? {} : { signingToken: hook.signingToken }),
  });

  return {
    hooks: (projectId, options) =>
      list(
        'hooks',
        HookAnswer,
        options,
        () => hooks.all(projectId, listOptions),
        (hook) => hook.id,
      ),
    createHook: (projectId, hook, options) =>
      one('new hook', HookAnswer, options, () => hooks.add(projectId, hook.url, settings(hook))),
    updateHook: (projectId, hookId, hook, options) =>
      one('changed hook', HookAnswer, options, () => hooks.edit(projectId, hookId, hook.url, settings(hook))),
  };
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* translated(
  stream: AsyncIterable<Uint8Array>,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TransientFailure) throw error;
    throw exchangeFailure({ method: 'GET', path, secrets: [] }, error);
  }
}
