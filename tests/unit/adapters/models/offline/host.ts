/** An in-memory tool host: an item, its notes and a map of files, through which a provider is driven as the agent loop does it. */

import type { ToolCall } from '../../../../../src/domain/run/messages.ts';
import { checkWorkplan } from '../../../../../src/domain/workplan/checks.ts';
import type { Question, Workplan } from '../../../../../src/domain/workplan/schema.ts';
import type { Coverage, Defect, Examination, Rubric } from '../../../../../src/domain/workplan/score-schema.ts';

export interface HostNote {
  id: number;
  author: string;
  role: string;
  discussionId: string;
  text: string;
}

export interface HostAnswer {
  by: string;
  role: string;
  optionIds: string[];
  text: string;
}

export class Host {
  title: string;
  description: string;
  readonly files: Record<string, string>;
  notes: HostNote[] = [];
  asked: { question: Question; answers: HostAnswer[] }[] = [];
  plan: Workplan | null = null;
  evaluations: {
    rubric: Rubric | null;
    coverage: Coverage | null;
    falsifier: Defect | null;
    examinations: Examination[];
  } = { rubric: null, coverage: null, falsifier: null, examinations: [] };

  constructor(item: { title: string; description: string }, files: Record<string, string>) {
    this.title = item.title;
    this.description = item.description;
    this.files = files;
  }

  get facts() {
    return {
      fileLines: (path: string) => (this.files[path] === undefined ? null : linesOf(this.files[path]).length),
      asked: new Set(this.asked.map((one) => one.question.id)),
      answered: new Set(this.asked.filter((one) => one.answers.length > 0).map((one) => one.question.id)),
    };
  }

  /** Answers as the service's tools do; a tool it does not know throws. */
  answer(call: ToolCall): object {
    const input = call.input as Record<string, unknown>;
    switch (call.name) {
      case 'item_read':
        return {
          reference: 'acme/sample#1',
          title: this.title,
          description: this.description,
          labels: [],
          state: 'opened',
          author: 'alice',
          linked: [],
          mergeRequests: [],
        };
      case 'discussions_read':
        return { notes: this.notes.map((note) => ({ ...note, createdAt: '2026-01-02T03:04:05Z' })) };
      case 'questions_read':
        return {
          questions: this.asked.map(({ question, answers }) => ({
            ...question,
            state: answers.length > 0 ? 'answered' : 'open',
            assumed: answers.length === 0,
            answers,
          })),
        };
      case 'repo_list': {
        const files = Object.entries(this.files).map(([path, text]) => ({
          path,
          size: text.length,
          lines: linesOf(text).length,
          binary: false,
        }));
        return { commit: 'c0ffee', files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), more: false };
      }
      case 'repo_read':
        return this.read(String(input['path']), Number(input['startLine']), Number(input['endLine']));
      case 'repo_search':
        return { hits: this.search(String(input['query']).toLowerCase(), Number(input['limit'])) };
      case 'repo_symbols':
        return { symbols: [] };
      case 'workplan_read':
        return { workplan: this.plan, checks: this.plan ? checkWorkplan(this.plan, this.facts) : [] };
      case 'evaluations_read':
        return this.evaluations;
      default:
        throw new Error(`the host has no tool ${call.name}`);
    }
  }

  private read(path: string, startLine: number, endLine: number): object {
    const text = this.files[path];
    if (text === undefined) return { error: { code: 'not_found', message: `There is no file ${path}.` } };
    const lines = linesOf(text);
    const last = Math.min(endLine, lines.length, startLine + 399);
    return {
      path,
      startLine,
      endLine: last,
      totalLines: lines.length,
      text: lines.slice(startLine - 1, last).join('\n'),
    };
  }

  private search(query: string, limit: number): object[] {
    const stem = query.replace(/(ies|es|s|e|ing|ed)$/, '');
    return Object.entries(this.files)
      .map(([path, text]) => {
        const lines = linesOf(text);
        const hits = lines.flatMap((line, i) => (line.toLowerCase().includes(stem) ? [i + 1] : []));
        return {
          path,
          line: hits[0] ?? 1,
          excerpt: `${hits[0]}: ${lines[(hits[0] ?? 1) - 1]}`,
          score: hits.length / Math.sqrt(lines.length) + (path.toLowerCase().includes(stem) ? 3 : 0),
        };
      })
      .filter((hit) => hit.score > 0)
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .slice(0, limit);
  }
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
