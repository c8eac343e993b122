/** A Redis that can go away: a TCP relay before a real one. */
import { createConnection, createServer, type Socket } from 'node:net';

export interface RedisProxy {
  /** The address to give to the service; names the same database. */
  url: string;
  /** Cuts all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Serves again on the same port. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startRedisProxy(target: string): Promise<RedisProxy> {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  let server = await listen(0);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The relay listens on no port.');
  const { port } = address;

  function relay(socket: Socket): void {
    const upstream = createConnection({ host: to.hostname, port: Number(to.port) });
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }

  function listen(on: number): Promise<ReturnType<typeof createServer>> {
    return new Promise((resolve, reject) => {
      const made = createServer(relay);
      made.once('error', reject);
      made.listen(on, '127.0.0.1', () => resolve(made));
    });
  }

  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return {
    url: Object.assign(new URL(target), { port: String(port), hostname: '127.0.0.1' }).href,
    cut,
    async restore() {
      server = await listen(port);
    },
    close: cut,
  };
}
