import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  levelOf,
  maySeeIssue,
  maySeeNote,
  maySeeProject,
  mayUpdateIssue,
  requireComment,
  requireDiscussion,
  requireNote,
  requireNoteEditor,
} from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { badRequest, forbidden, notFound, notGiven } from '../errors.ts';
import { discussionEntity, noteEntity } from '../issue-entities.ts';
import { hasChanged, snapshotOf } from '../issue-snapshot.ts';
import { remindMentioned } from '../mentions.ts';
import type { Discussion, Issue, Note, Project, User } from '../model.ts';
import { paginate } from '../paging.ts';
import { issueEvent, noteEvent } from '../payloads.ts';
import { extractCommands } from '../quick-action-finder.ts';
import { type CommandResult, runCommands } from '../quick-actions.ts';
import { actorOf, issueOf, params } from '../request.ts';

const MAX_TEXT = 1_000_000;

interface Posted {
  /** Null for a text of commands only, and for a note that its own command took away. */
  note: Note | null;
  commands: CommandResult;
}

/** Comments and threads of an issue. */
export function noteRoutes(app: FastifyInstance, deps: SandboxDeps): void {
  const { state, sender } = deps;
  const base = '/projects/:id/issues/:iid';

  function body(request: FastifyRequest): string {
    const text = params(request).text('body');
    if (!text?.trim()) throw notGiven('body');
    if (text.length > MAX_TEXT) throw badRequest(`Note is too long (maximum is ${MAX_TEXT} characters)`);
    return text;
  }

  /** Takes a text in: carries out its commands, stores what is left as a note and fires the hooks. */
  function post(
    request: FastifyRequest,
    project: Project,
    issue: Issue,
    into: Discussion | 'comment' | 'thread',
  ): Posted {
    const user = actorOf(request);
    requireComment(project, issue, user);
    const { commands, rest } = extractCommands(body(request), state.settings.quickActions);
    // The discussions API has no such field: a thread is internal only by its first note, made as a comment.
    const fields = into === 'comment' ? params(request) : null;
    const wantsInternal = fields?.flag('internal') ?? fields?.flag('confidential') ?? false;
    if (wantsInternal && levelOf(project, user) < 15) throw forbidden();
    const before = snapshotOf(issue);
    const result = runCommands(state, project, issue, user, commands);
    let note: Note | null = null;
    if (rest !== '') {
      note = state.addNote(issue, {
        authorId: user.id,
        body: rest,
        individual: into === 'comment',
        ...(typeof into === 'string' ? { internal: wantsInternal } : { discussion: into }),
      });
      request.sandbox.changedId = note.id;
      const made = note;
      remindMentioned(
        state,
        project,
        issue,
        made,
        (one) => maySeeProject(project, one) && maySeeIssue(project, issue, one) && maySeeNote(project, made, one),
      );
      sender.fire(project, noteEvent(state, project, issue, note, user, 'create'));
    }
    fireIfChanged(project, issue, user, before);
    return { note, commands: result };
  }

  function fireIfChanged(project: Project, issue: Issue, user: User, before: ReturnType<typeof snapshotOf>): void {
    if (!hasChanged(issue, before)) return;
    sender.fire(project, issueEvent(state, project, issue, user, before));
  }

  /** A text of commands only: 202 and what they did, or 400 when none could be carried out. */
  function answerCommands(reply: FastifyReply, result: CommandResult): FastifyReply {
    if (result.summary.length === 0) throw badRequest(result.errors.join(' '));
    return reply.code(202).send({ commands_changes: result.changes, summary: result.summary });
  }

  app.get(`${base}/notes`, (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const byUpdate = params(request).text('order_by') === 'updated_at';
    const key = (note: Note): string => (byUpdate ? note.updatedAt : note.createdAt);
    const activity = params(request).text('activity_filter');
    const sorted = state
      .notesOf(issue)
      .filter((note) => maySeeNote(project, note, actorOf(request)))
      .filter((note) => activity !== 'only_comments' || !note.system)
      .filter((note) => activity !== 'only_activity' || note.system)
      .toSorted((a, b) => key(a).localeCompare(key(b)) || a.id - b.id);
    if (params(request).text('sort') !== 'asc') sorted.reverse();
    return paginate(request, reply, sorted).map((note) => noteEntity(state, project, issue, note));
  });

  app.post(`${base}/notes`, (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const { note, commands } = post(request, project, issue, 'comment');
    if (!note) return answerCommands(reply, commands);
    const answer = { ...noteEntity(state, project, issue, note), commands_changes: commands.changes };
    return reply.code(201).send(answer);
  });

  app.get(`${base}/notes/:noteId`, (request) => {
    const { project, issue } = issueOf(state, request);
    const note = requireNote(state, project, issue, actorOf(request), params(request).part('noteId'));
    return noteEntity(state, project, issue, note);
  });

  function edit(request: FastifyRequest, project: Project, issue: Issue, note: Note): Note | null {
    const user = actorOf(request);
    requireNoteEditor(project, issue, note, user);
    const { commands, rest } = extractCommands(body(request), state.settings.quickActions);
    const before = snapshotOf(issue);
    runCommands(state, project, issue, user, commands);
    request.sandbox.changedId = note.id;
    if (rest === '') {
      remove(issue, note);
    } else if (rest !== note.body) {
      note.body = rest;
      note.updatedAt = state.timestamp();
      // GitLab touches the item with every note it saves.
      issue.updatedAt = note.updatedAt;
      note.lastEditedById = user.id;
      sender.fire(project, noteEvent(state, project, issue, note, user, 'update'));
    }
    fireIfChanged(project, issue, user, before);
    return rest === '' ? null : note;
  }

  function remove(issue: Issue, note: Note): void {
    for (const discussion of issue.discussions) {
      discussion.notes = discussion.notes.filter((known) => known !== note);
    }
    issue.discussions = issue.discussions.filter((discussion) => discussion.notes.length > 0);
  }

  app.put(`${base}/notes/:noteId`, (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const note = requireNote(state, project, issue, actorOf(request), params(request).part('noteId'));
    const edited = edit(request, project, issue, note);
    return edited ? noteEntity(state, project, issue, edited) : reply.code(202).send({ commands_changes: {} });
  });

  app.delete(`${base}/notes/:noteId`, (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const note = requireNote(state, project, issue, actorOf(request), params(request).part('noteId'));
    requireNoteEditor(project, issue, note, actorOf(request));
    remove(issue, note);
    request.sandbox.changedId = note.id;
    return reply.code(204).send();
  });

  app.get(`${base}/discussions`, (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const user = actorOf(request);
    const visible = issue.discussions.filter((thread) => thread.notes.some((note) => maySeeNote(project, note, user)));
    const page = paginate(request, reply, visible);
    return page.map((discussion) => discussionEntity(state, project, issue, discussion, user));
  });

  app.post(`${base}/discussions`, (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const { note, commands } = post(request, project, issue, 'thread');
    if (!note) return answerCommands(reply, commands);
    const discussion = requireDiscussion(project, issue, actorOf(request), note.discussionId);
    return reply.code(201).send(discussionEntity(state, project, issue, discussion, actorOf(request)));
  });

  function thread(request: FastifyRequest): { project: Project; issue: Issue; discussion: Discussion } {
    const { project, issue } = issueOf(state, request);
    const id = params(request).part('discussionId');
    return { project, issue, discussion: requireDiscussion(project, issue, actorOf(request), id) };
  }

  app.get(`${base}/discussions/:discussionId`, (request) => {
    const { project, issue, discussion } = thread(request);
    return discussionEntity(state, project, issue, discussion, actorOf(request));
  });

  app.put(`${base}/discussions/:discussionId`, (request) => {
    const { project, issue, discussion } = thread(request);
    const user = actorOf(request);
    const resolved = params(request).flag('resolved');
    if (resolved === undefined) throw notGiven('resolved');
    const own = discussion.notes[0]?.authorId === user.id;
    if (discussion.individual || (!own && !mayUpdateIssue(project, issue, user))) throw forbidden();
    discussion.resolvedById = resolved ? user.id : null;
    discussion.resolvedAt = resolved ? state.timestamp() : null;
    request.sandbox.changedId = discussion.id;
    return discussionEntity(state, project, issue, discussion, user);
  });

  app.post(`${base}/discussions/:discussionId/notes`, (request, reply) => {
    const { project, issue, discussion } = thread(request);
    const { note, commands } = post(request, project, issue, discussion);
    if (!note) return answerCommands(reply, commands);
    return reply.code(201).send(noteEntity(state, project, issue, note));
  });

  app.get(`${base}/discussions/:discussionId/notes`, (request) => {
    const { project, issue, discussion } = thread(request);
    return discussion.notes
      .filter((note) => maySeeNote(project, note, actorOf(request)))
      .map((note) => noteEntity(state, project, issue, note));
  });

  function noteInThread(request: FastifyRequest): { project: Project; issue: Issue; note: Note } {
    const { project, issue, discussion } = thread(request);
    const note = requireNote(state, project, issue, actorOf(request), params(request).part('noteId'));
    if (note.discussionId !== discussion.id) throw notFound('Note');
    return { project, issue, note };
  }

  app.get(`${base}/discussions/:discussionId/notes/:noteId`, (request) => {
    const { project, issue, note } = noteInThread(request);
    return noteEntity(state, project, issue, note);
  });
  app.put(`${base}/discussions/:discussionId/notes/:noteId`, (request, reply) => {
    const { project, issue, note } = noteInThread(request);
    const edited = edit(request, project, issue, note);
    return edited ? noteEntity(state, project, issue, edited) : reply.code(202).send({ commands_changes: {} });
  });
  app.delete(`${base}/discussions/:discussionId/notes/:noteId`, (request, reply) => {
    const { project, issue, note } = noteInThread(request);
    requireNoteEditor(project, issue, note, actorOf(request));
    remove(issue, note);
    request.sandbox.changedId = note.id;
    return reply.code(204).send();
  });
}
