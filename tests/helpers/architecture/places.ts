/** A place of the house (docs of the layers: CONTRIBUTING.md). Two files of one place may import each other. */
export interface Place {
  name: string;
  /** `edge`s do not know each other; a `leaf` is read by composition and entries only. */
  kind: 'domain' | 'ports' | 'app' | 'edge' | 'composition' | 'entry' | 'leaf' | 'sandbox' | 'outside' | 'unknown';
}

/** Which kinds a kind may import from, besides its own place. */
export const mayImport: Record<Place['kind'], readonly Place['kind'][]> = {
  domain: [],
  ports: ['domain'],
  app: ['domain', 'ports'],
  edge: ['domain', 'ports'],
  composition: ['domain', 'ports', 'app', 'edge', 'leaf'],
  // Entries get their adapters from the composition; `planwright sandbox` starts the stand-in.
  entry: ['domain', 'ports', 'app', 'composition', 'leaf', 'sandbox'],
  // The logger gives what the log port asks for; settings name what a port names.
  leaf: ['ports'],
  sandbox: [],
  outside: ['domain', 'ports', 'app', 'edge', 'composition', 'entry', 'leaf', 'sandbox', 'outside'],
  unknown: [],
};

/** The edges that drive use cases; adapters only serve ports. */
export const drivingEdges: readonly string[] = ['http', 'mcp'];

/** Where in the house a file stands. */
export function placeOf(path: string): Place {
  const parts = path.split('/');
  const [top, second, third] = parts;
  if (top === 'sandbox') return { name: 'sandbox', kind: 'sandbox' };
  if (top === 'workers') return { name: 'entries', kind: 'entry' };
  if (top === 'scripts' || top === 'tests' || top === 'bench' || parts.length === 1)
    return { name: 'outside', kind: 'outside' };
  if (top !== 'src' || second === undefined) return { name: path, kind: 'unknown' };
  if (second === 'adapters') {
    // A file directly in src/adapters/ would belong to none of them.
    return parts.length > 3 ? { name: `adapters/${third}`, kind: 'edge' } : { name: path, kind: 'unknown' };
  }
  if (second === 'domain' || second === 'ports' || second === 'app') return { name: second, kind: second };
  if (second === 'http' || second === 'mcp' || second === 'ui') return { name: second, kind: 'edge' };
  if (second === 'wire' || second === 'wire.ts') return { name: 'wire', kind: 'composition' };
  if (second === 'config.ts' || /^config-[a-z]+\.ts$/.test(second)) return { name: 'config', kind: 'leaf' };
  if (second === 'logger.ts') return { name: 'logger', kind: 'leaf' };
  if (second === 'cli' || second === 'cli.ts' || second === 'server.ts') return { name: 'entries', kind: 'entry' };
  return { name: path, kind: 'unknown' };
}

/** The one place in `src` of each vendor package; a name ending in `/` is a scope. */
export const vendorHomes: Readonly<Record<string, readonly string[]>> = {
  '@gitbeaker/': ['adapters/gitlab'],
  undici: ['adapters/gitlab'],
  'tar-stream': ['adapters/repository'],
  'node:sqlite': ['adapters/repository'],
  'web-tree-sitter': ['adapters/repository'],
  ai: ['adapters/models'],
  '@ai-sdk/': ['adapters/models'],
  kysely: ['adapters/postgres'],
  pg: ['adapters/postgres'],
  '@electric-sql/': ['adapters/postgres'],
  ioredis: ['adapters/redis'],
  bullmq: ['adapters/bullmq'],
  'prom-client': ['adapters/system'],
  '@opentelemetry/': ['adapters/system'],
  fastify: ['http'],
  '@fastify/': ['http'],
  'fastify-type-provider-zod': ['http'],
  standardwebhooks: ['http'],
  'markdown-it': ['http', 'ui'],
  '@modelcontextprotocol/': ['mcp'],
  pino: ['logger'],
};

/** Packages that any place may use, being languages and not services. */
export const languagePackages: readonly string[] = ['zod', 'yaml'];

/** What the sandbox may use. */
export const sandboxPackages: readonly string[] = ['fastify', '@fastify/', 'markdown-it', 'tar-stream', 'zod', 'yaml'];

/** Node's modules that do I/O: not for use cases, which have ports for it. */
export const ioModules: readonly string[] = [
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'fs',
  'http',
  'http2',
  'https',
  'net',
  'os',
  'process',
  'readline',
  'sqlite',
  'tls',
  'worker_threads',
];

/** True when `name` is one of the packages or belongs to one of the scopes. */
export function isListed(name: string, packages: readonly string[]): boolean {
  return packages.some((entry) => (entry.endsWith('/') ? name.startsWith(entry) : name === entry));
}
