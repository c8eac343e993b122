import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
}

export interface RawServer {
  url: string;
  readonly seen: readonly SeenRequest[];
  /** For what requests alone do not show, such as CONNECT. */
  readonly server: Server;
  close(): Promise<void>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

/** A server that answers as the test says, well-formed or not; `nth` counts requests from 1. */
export async function startRawServer(
  handler: Handler,
  create: (listener: Listener) => Server = createServer,
): Promise<RawServer> {
  const seen: SeenRequest[] = [];
  const server = create((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    handler(request, response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
