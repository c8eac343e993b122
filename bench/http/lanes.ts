/** HTTP over sockets that stay open, as cheap as can be: on two cores whoever asks takes from who answers. */
import { connect, type Socket } from 'node:net';

export interface Reply {
  status: number;
  /** Milliseconds from the call to the last byte. */
  ms: number;
}

export interface Lane {
  /** Sends a whole request, one at a time; answers when the whole reply has come. */
  send(request: Buffer): Promise<Reply>;
  close(): void;
}

export async function openLanes(port: number, count: number): Promise<Lane[]> {
  return Promise.all(Array.from({ length: count }, () => openLane(port)));
}

async function openLane(port: number): Promise<Lane> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(opened));
    opened.once('error', reject);
  });
  let waiting: { resolve(reply: Reply): void; reject(error: Error): void; at: number } | null = null;
  let received = '';
  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = null;
  };
  socket.setEncoding('latin1');
  socket.on('data', (data) => {
    received += String(data);
    const status = statusOfWhole(received);
    if (status === null || waiting === null) return;
    received = '';
    const { resolve, at } = waiting;
    waiting = null;
    resolve({ status, ms: performance.now() - at });
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  return {
    send(request) {
      if (waiting) throw new Error('A lane sends one request at a time.');
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject, at: performance.now() };
        socket.write(request);
      });
    },
    close: () => socket.destroy(),
  };
}

/** Null while the reply is not whole. */
function statusOfWhole(text: string): number | null {
  const headersEnd = text.indexOf('\r\n\r\n');
  if (headersEnd < 0) return null;
  const status = Number(text.slice(9, 12));
  if (status === 204 || status === 304) return status;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headersEnd))?.[1];
  if (length !== undefined) return text.length >= headersEnd + 4 + Number(length) ? status : null;
  return text.endsWith('\r\n0\r\n\r\n') ? status : null;
}
