/** GitLab's own description of its REST API (`tests/fixtures/gitlab/`), read for what a call takes and answers. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: unknown;
}

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface DescribedCall {
  /** Names of what it takes, in query and body. */
  takes: Set<string>;
  /** Statuses it may answer with. */
  statuses: Set<number>;
  /** What it answers; null when nothing is said of it. */
  answers: Schema | null;
}

const FILE = fileURLToPath(new URL('../../fixtures/gitlab/openapi-subset.yaml', import.meta.url));

export class Description {
  private readonly calls = new Map<string, Operation>();
  private readonly schemas: Record<string, Schema>;

  constructor() {
    const parsed = parse(readFileSync(FILE, 'utf8')) as {
      paths: Record<string, Record<string, Operation>>;
      components: { schemas: Record<string, Schema> };
    };
    this.schemas = parsed.components.schemas;
    for (const [path, methods] of Object.entries(parsed.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        this.calls.set(`${method.toUpperCase()} ${shapeOf(path.replace('/api/v4', ''))}`, operation);
      }
    }
  }

  /** `call` is like `GET /projects/:id/issues/:iid`; null when the description does not have it. */
  find(call: string): DescribedCall | null {
    const [method = '', path = ''] = call.split(' ');
    const operation = this.calls.get(`${method} ${shapeOf(path)}`);
    if (!operation) return null;
    const takes = new Set(
      (operation.parameters ?? []).filter((one) => one.in !== 'path').map((one) => plain(one.name)),
    );
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      for (const name of Object.keys(this.resolve(schema).properties ?? {})) takes.add(plain(name));
    }
    const good = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
    const answers = good?.[1].content?.['application/json']?.schema ?? null;
    return { takes, statuses: new Set(Object.keys(operation.responses).map(Number)), answers };
  }

  /** Field names of `value` that the schema does not have, as `author.mood`. */
  unknownFields(value: unknown, schema: Schema, where = ''): string[] {
    if (Array.isArray(value)) {
      const { items } = this.resolve(schema);
      return value.flatMap((item) => this.unknownFields(item, items ?? schema, where));
    }
    if (typeof value !== 'object' || value === null) return [];
    const { properties } = this.resolve(schema);
    if (!properties) return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      const place = where === '' ? name : `${where}.${name}`;
      const known = properties[name];
      return known ? this.unknownFields(inner, known, place) : [place];
    });
  }

  private resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.schemas[name] ?? {});
  }
}

/** A path with its parts unnamed: the description calls them otherwise than the sandbox. */
function shapeOf(path: string): string {
  return path.replace(/:[A-Za-z]+/g, '{}').replace(/\{[^}]*\}/g, '{}');
}

function plain(name: string): string {
  return name.replace(/\[\]$/, '');
}
