/** A call of the sandbox's API: every one it serves stands in `SCRIPT` at least once, in an order in which each succeeds. */
export interface Step {
  /** As the sandbox names it. */
  call: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{name}` for ids of earlier answers. */
  url: string;
  body?: object;
  /** Who calls; `maria` unless said. */
  as?: string;
  /** Remembers the answer's id (of a list its first entry's) by this name. */
  keep?: string;
}

function step(call: string, url: string, more: Partial<Step> = {}): Step {
  return { call, method: call.split(' ')[0] as Step['method'], url, ...more };
}

const P = '/projects/:id';
const I = `${P}/issues/:iid`;
const M = `${P}/merge_requests/:requestIid`;
const D = `${I}/discussions/:discussionId`;
const HOOK = { url: '{receiver}', note_events: true, token: 'secret' };

export const SCRIPT: readonly Step[] = [
  step('GET /version', '/version'),
  step('GET /metadata', '/metadata'),
  step('GET /user', '/user', { as: 'alice' }),
  step('GET /users', '/users?username=alice'),
  step('GET /users/:id', '/users/11'),
  step('POST /users/:id/block', '/users/15/block'),
  step('POST /users/:id/unblock', '/users/15/unblock'),
  step('POST /users/:id/deactivate', '/users/15/deactivate'),
  step('POST /users/:id/activate', '/users/15/activate'),
  step('POST /users/:id/ban', '/users/15/ban'),
  step('POST /users/:id/unban', '/users/15/unban'),
  step('GET /personal_access_tokens/self', '/personal_access_tokens/self'),
  step('GET /todos', '/todos'),
  step('GET /projects', '/projects?membership=true'),
  step(`GET ${P}`, '/projects/acme%2Fsample'),
  step(`PUT ${P}`, '/projects/1', { body: { path: 'renamed', description: 'Renamed', visibility: 'private' } }),
  step(`PUT ${P}/transfer`, '/projects/1/transfer', { body: { namespace: 'acme' } }),
  step(`POST ${P}/archive`, '/projects/1/archive'),
  step(`POST ${P}/unarchive`, '/projects/1/unarchive'),
  step('GET /groups/:id', '/groups/acme', { keep: 'group' }),
  step('POST /groups/:id/members', '/groups/acme/members', { body: { user_id: 15, access_level: 20 } }),
  step('GET /groups/:id/members', '/groups/acme/members'),
  step('GET /groups/:id/members/:userId', '/groups/acme/members/15'),
  step('GET /groups/:id/members/all', '/groups/acme/members/all'),
  step('GET /groups/:id/members/all/:userId', '/groups/acme/members/all/15'),
  step('PUT /groups/:id/members/:userId', '/groups/acme/members/15', { body: { access_level: 30 } }),
  step('DELETE /groups/:id/members/:userId', '/groups/acme/members/15'),
  step(`POST ${P}/share`, '/projects/{other}/share', { body: { group_id: 1001, group_access: 20 } }),
  step(`DELETE ${P}/share/:groupId`, '/projects/{other}/share/1001'),
  step(`POST ${P}/members`, '/projects/1/members', {
    body: { user_id: 15, access_level: 20, expires_at: '2999-01-31' },
  }),
  step(`GET ${P}/members`, '/projects/1/members?query=eri'),
  step(`GET ${P}/members/:userId`, '/projects/1/members/15'),
  step(`GET ${P}/members/all`, '/projects/1/members/all?per_page=2'),
  step(`GET ${P}/members/all/:userId`, '/projects/1/members/all/15'),
  step(`PUT ${P}/members/:userId`, '/projects/1/members/15', { body: { access_level: 30, expires_at: '2999-02-01' } }),
  step(`DELETE ${P}/members/:userId`, '/projects/1/members/15'),
  step(`POST ${P}/labels`, '/projects/1/labels', { body: { name: 'a::b', color: '#123456', description: 'x' } }),
  step(`GET ${P}/labels`, '/projects/1/labels?search=a&with_counts=true'),
  step(`GET ${P}/labels/:name`, '/projects/1/labels/a%3A%3Ab'),
  step(`PUT ${P}/labels/:name`, '/projects/1/labels/a%3A%3Ab', { body: { new_name: 'a::c', color: '#654321' } }),
  step(`PUT ${P}/labels`, '/projects/1/labels', { body: { name: 'a::c', new_name: 'a::d' } }),
  step(`DELETE ${P}/labels/:name`, '/projects/1/labels/a%3A%3Ad'),
  step(`POST ${P}/labels`, '/projects/1/labels', { body: { name: 'gone', color: '#123456' } }),
  step(`DELETE ${P}/labels`, '/projects/1/labels?name=gone'),
  step(`POST ${P}/issues`, '/projects/1/issues', {
    body: { title: 'New', description: 'Text', labels: 'x,y', assignee_ids: [11], confidential: false },
  }),
  step(`GET ${P}/issues`, '/projects/1/issues?state=opened&labels=x&order_by=updated_at&sort=asc&search=new&iids[]=6'),
  step(`GET ${I}`, '/projects/1/issues/6'),
  step(`PUT ${I}`, '/projects/1/issues/6', {
    body: { title: 'Newer', add_labels: 'z', remove_labels: 'x', discussion_locked: false, state_event: 'close' },
  }),
  step(`PUT ${I}`, '/projects/1/issues/6', { body: { state_event: 'reopen', confidential: true } }),
  step(`GET ${I}/participants`, '/projects/1/issues/6/participants'),
  step(`POST ${P}/repository/branches`, '/projects/1/repository/branches', { body: { branch: 'work', ref: 'main' } }),
  step(`POST ${P}/merge_requests`, '/projects/1/merge_requests', {
    body: { title: 'Closes #6', description: 'So.', source_branch: 'work', target_branch: 'main', labels: 'x' },
  }),
  step(`GET ${P}/merge_requests`, '/projects/1/merge_requests?state=opened&search=closes&source_branch=work'),
  step(`GET ${M}`, '/projects/1/merge_requests/1'),
  step(`PUT ${M}`, '/projects/1/merge_requests/1', { body: { description: 'So it is.', state_event: 'reopen' } }),
  step(`GET ${I}/related_merge_requests`, '/projects/1/issues/6/related_merge_requests'),
  step(`GET ${I}/closed_by`, '/projects/1/issues/6/closed_by'),
  step(`PUT ${M}/merge`, '/projects/1/merge_requests/1/merge'),
  step(`PUT ${I}`, '/projects/1/issues/6', { body: { state_event: 'reopen' } }),
  step(`GET ${I}/resource_label_events`, '/projects/1/issues/6/resource_label_events', { keep: 'event' }),
  step(`GET ${I}/resource_label_events/:eventId`, '/projects/1/issues/6/resource_label_events/{event}'),
  step(`POST ${I}/links`, '/projects/1/issues/6/links', {
    body: { target_project_id: 1, target_issue_iid: 1, link_type: 'relates_to' },
  }),
  step(`GET ${I}/links`, '/projects/1/issues/6/links'),
  step(`GET ${I}/links/:linkId`, '/projects/1/issues/6/links/6001'),
  step(`DELETE ${I}/links/:linkId`, '/projects/1/issues/6/links/6001'),
  step(`POST ${I}/notes`, '/projects/1/issues/6/notes', { body: { body: 'Words', internal: true }, keep: 'note' }),
  step(`GET ${I}/notes`, '/projects/1/issues/6/notes?sort=asc&order_by=updated_at&activity_filter=all_notes'),
  step(`GET ${I}/notes/:noteId`, '/projects/1/issues/6/notes/{note}'),
  step(`PUT ${I}/notes/:noteId`, '/projects/1/issues/6/notes/{note}', { body: { body: 'Other words' } }),
  step(`POST ${I}/notes/:noteId/award_emoji`, '/projects/1/issues/6/notes/{note}/award_emoji', {
    body: { name: 'one' },
    keep: 'award',
  }),
  step(`GET ${I}/notes/:noteId/award_emoji`, '/projects/1/issues/6/notes/{note}/award_emoji'),
  step(`GET ${I}/notes/:noteId/award_emoji/:awardId`, '/projects/1/issues/6/notes/{note}/award_emoji/{award}'),
  step(`DELETE ${I}/notes/:noteId/award_emoji/:awardId`, '/projects/1/issues/6/notes/{note}/award_emoji/{award}'),
  step(`DELETE ${I}/notes/:noteId`, '/projects/1/issues/6/notes/{note}'),
  step(`POST ${I}/award_emoji`, '/projects/1/issues/6/award_emoji', { body: { name: 'one' }, keep: 'award' }),
  step(`GET ${I}/award_emoji`, '/projects/1/issues/6/award_emoji'),
  step(`GET ${I}/award_emoji/:awardId`, '/projects/1/issues/6/award_emoji/{award}'),
  step(`DELETE ${I}/award_emoji/:awardId`, '/projects/1/issues/6/award_emoji/{award}'),
  step(`POST ${I}/discussions`, '/projects/1/issues/6/discussions', { body: { body: 'Which?' }, keep: 'thread' }),
  step(`GET ${I}/discussions`, '/projects/1/issues/6/discussions'),
  step(`GET ${D}`, '/projects/1/issues/6/discussions/{thread}'),
  step(`POST ${D}/notes`, '/projects/1/issues/6/discussions/{thread}/notes', { body: { body: 'This' }, keep: 'reply' }),
  step(`GET ${D}/notes`, '/projects/1/issues/6/discussions/{thread}/notes'),
  step(`GET ${D}/notes/:noteId`, '/projects/1/issues/6/discussions/{thread}/notes/{reply}'),
  step(`PUT ${D}/notes/:noteId`, '/projects/1/issues/6/discussions/{thread}/notes/{reply}', { body: { body: 'That' } }),
  step(`PUT ${D}`, '/projects/1/issues/6/discussions/{thread}', { body: { resolved: true } }),
  step(`DELETE ${D}/notes/:noteId`, '/projects/1/issues/6/discussions/{thread}/notes/{reply}'),
  step(`POST ${P}/hooks`, '/projects/1/hooks', { body: HOOK, keep: 'hook' }),
  step(`GET ${P}/hooks`, '/projects/1/hooks'),
  step(`GET ${P}/hooks/:hookId`, '/projects/1/hooks/{hook}'),
  step(`PUT ${P}/hooks/:hookId`, '/projects/1/hooks/{hook}', { body: { ...HOOK, emoji_events: true } }),
  step(`POST ${P}/hooks/:hookId/test/:trigger`, '/projects/1/hooks/{hook}/test/issues_events'),
  step(`DELETE ${P}/hooks/:hookId`, '/projects/1/hooks/{hook}'),
  step(`GET ${P}/repository/tree`, '/projects/1/repository/tree?path=src&recursive=true&per_page=5'),
  step(`GET ${P}/repository/tree`, '/projects/1/repository/tree?pagination=keyset&per_page=2'),
  step(`GET ${P}/repository/files/:path`, '/projects/1/repository/files/README.md?ref=main'),
  step(`GET ${P}/repository/files/:path/raw`, '/projects/1/repository/files/README.md/raw?ref=main'),
  step(`GET ${P}/repository/commits`, '/projects/1/repository/commits?ref_name=main&path=src'),
  step(`GET ${P}/repository/commits/:sha`, '/projects/1/repository/commits/main'),
  step(`GET ${P}/repository/branches`, '/projects/1/repository/branches'),
  step(`GET ${P}/repository/branches/:branch`, '/projects/1/repository/branches/main'),
  step(`GET ${P}/repository/archive`, '/projects/1/repository/archive?sha=main&format=tar.gz'),
  step(`GET ${P}/repository/archive.tar.gz`, '/projects/1/repository/archive.tar.gz?sha=main'),
  step(`GET ${P}/search`, '/projects/1/search?scope=blobs&search=function'),
  step(`POST ${I}/clone`, '/projects/1/issues/6/clone', { body: { to_project_id: '{other}', with_notes: true } }),
  step(`POST ${I}/move`, '/projects/1/issues/6/move', { body: { to_project_id: '{other}' } }),
  step(`DELETE ${I}`, '/projects/1/issues/5'),
];
