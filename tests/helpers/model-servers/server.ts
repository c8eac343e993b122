import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Protocol, Say } from './says.ts';

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface ModelServer {
  url: string;
  readonly requests: readonly SeenRequest[];
  /** Resolves when the client has left a request whose answer was not at its end. */
  left: Promise<void>;
  close(): Promise<void>;
}

/** A server that does what it is told, one request after the other; a request too many is answered 418, which no client repeats. */
export async function startModelServer(protocol: Protocol, ...says: Say[]): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const left = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') });
    response.on('close', () => {
      if (!response.writableFinished) left.resolve();
    });
    if (!protocol.path.test(path)) return sendError(response, protocol, 404, `no route ${path}`);
    const say = says[requests.length - 1];
    if (!say) return sendError(response, protocol, 418, 'nothing more to say');
    await answer(response, protocol, say);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    left: left.promise,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(response: ServerResponse, protocol: Protocol, say: Say): Promise<void> {
  if (say.kind === 'silent') return;
  if (say.kind === 'status') {
    for (const [name, value] of Object.entries(say.headers ?? {})) response.setHeader(name, value);
    return sendError(response, protocol, say.status, say.message ?? 'as told');
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (say.kind === 'error_event') {
    for (const piece of protocol.errorEvent()) response.write(piece);
    response.end();
    return;
  }
  if (say.kind === 'answer') {
    for (const piece of protocol.answer(say)) response.write(piece);
    response.end();
    return;
  }
  const whole = protocol.answer({ kind: 'answer', text: 'This answer is never told to its end.' });
  for (const piece of whole.slice(0, 3)) response.write(piece);
  if (say.how === 'ended') response.end();
  // What was written must have left before the connection is cut, or nothing of it arrives.
  if (say.how === 'cut') response.write('', () => setImmediate(() => response.destroy()));
}

function sendError(response: ServerResponse, protocol: Protocol, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(protocol.errorBody(status, message)));
}
