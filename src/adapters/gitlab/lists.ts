import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { Headers } from './transport.ts';

const PER_PAGE = 100;
const MAX_PAGES = 200;

/** The page size asked for in every list: GitLab's largest. */
export const listOptions = { perPage: PER_PAGE } as const;

/**
 * Watches the pages of one list, so that a list which did not come to its end is a failure and never a shorter list: from
 * "my note is not there" follows a second note. gitbeaker follows `Link: rel="next"` alone; where a proxy drops that header the
 * first page passes for everything.
 */
export interface PageWatch {
  /** Looks at an answer before it is handed on. */
  see(headers: Headers, items: number, where: string): void;
}

export function watchPages(maxPages: number = MAX_PAGES): PageWatch {
  let pages = 0;
  let collected = 0;
  let total: number | null = null;

  function see(headers: Headers, items: number, where: string): void {
    pages += 1;
    collected += items;
    if (pages > maxPages) {
      throw new PermanentFailure(
        'gitlab_list_too_long',
        `The list ${where} is longer than ${maxPages} pages; the service does not read longer ones`,
      );
    }
    const link = headers['link'];
    const hasNext = link !== undefined && /rel="?next"?/.test(link);
    const announced = headers['x-total'] ? Number(headers['x-total']) : null;
    // Something was deleted between two pages: what moved up over the border was not seen.
    const shrunk = total !== null && announced !== null && announced < total;
    total = announced;
    if (shrunk) throw incomplete(where, 'it became shorter while it was read');
    if (hasNext) return;
    if (headers['x-next-page']) throw incomplete(where, 'GitLab names a next page but sent no Link to it');
    if (announced !== null && collected < announced)
      throw incomplete(where, `${collected} of ${announced} entries came`);
    if (link === undefined && announced === null && items >= PER_PAGE) {
      throw incomplete(where, 'a full page came without a Link header');
    }
  }

  return { see };
}

function incomplete(where: string, why: string): TransientFailure {
  return new TransientFailure('gitlab_incomplete_list', `The list ${where} could not be read to its end: ${why}`);
}
