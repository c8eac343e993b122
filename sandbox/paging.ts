import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest } from './errors.ts';
import { params } from './request.ts';

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 20;

function whole(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined || value === '') return fallback;
  const parsed = Number(value);
  if (!Number.isInteger(parsed) || parsed < 1) throw badRequest(`${name} is invalid: expected a number from 1 up`);
  return parsed;
}

/** The `per_page` asked for, at most 100, 20 when none is given. */
export function perPageOf(request: FastifyRequest): number {
  return Math.min(whole('per_page', params(request).text('per_page'), DEFAULT_PER_PAGE), MAX_PER_PAGE);
}

/** The request's own address with other query parameters. */
export function addressWith(request: FastifyRequest, changes: Record<string, string>): string {
  const url = new URL(request.url, `${request.protocol}://${request.host}`);
  for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
  return url.href;
}

/** One page of a complete list by `page` and `per_page`, with GitLab's `X-…` and `Link` headers set. */
export function paginate<T>(request: FastifyRequest, reply: FastifyReply, items: readonly T[]): T[] {
  const perPage = perPageOf(request);
  const page = whole('page', params(request).text('page'), 1);
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const link = (rel: string, number: number): string =>
    `<${addressWith(request, { page: String(number), per_page: String(perPage) })}>; rel="${rel}"`;
  const links: string[] = [];
  if (page > 1) links.push(link('prev', page - 1));
  if (page < pages) links.push(link('next', page + 1));
  links.push(link('first', 1), link('last', pages));
  reply.headers({
    link: links.join(', '),
    'x-total': String(items.length),
    'x-total-pages': String(pages),
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': page < pages ? String(page + 1) : '',
    'x-prev-page': page > 1 ? String(page - 1) : '',
  });
  return items.slice((page - 1) * perPage, page * perPage);
}
