import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createHttp, WEBHOOK_TOKEN } from './harness.ts';

/** Sends bytes over a real connection and gives status and document of what comes back. */
async function exchange(text: string): Promise<{ status: number; json: unknown }> {
  const http = await createHttp();
  await http.app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((http.app.server.address() as AddressInfo).port, '127.0.0.1');
  let answered = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    answered += data;
  });
  socket.end(Buffer.from(text, 'latin1'));
  await once(socket, 'close');
  const [head = '', body = ''] = answered.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), json: JSON.parse(body) };
}

const END = 'Host: x\r\nConnection: close\r\n\r\n';

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'invalid_request'],
  ['a method that there is not', `BREW / HTTP/1.1\r\n${END}`, 400, 'invalid_request'],
  ['NUL in a header', `GET /healthz HTTP/1.1\r\nX: a\0b\r\n${END}`, 400, 'invalid_request'],
  ['bytes in the address', `GET /a\x80b HTTP/1.1\r\n${END}`, 400, 'invalid_request'],
  ['large headers', `GET /healthz HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n${END}`, 431, 'headers_too_large'],
  ['a broken absolute address', `GET http://[/healthz HTTP/1.1\r\n${END}`, 400, 'invalid_request'],
  ['steps upwards', `GET /api/v1/projects/../../healthz HTTP/1.1\r\n${END}`, 401, 'unauthenticated'],
  ['all there is', `OPTIONS * HTTP/1.1\r\n${END}`, 404, 'not_found'],
])('%s: a problem document', async (_name, text, status, code) => {
  expect(await exchange(text)).toMatchObject({ status, json: { status, code } });
});

test('two tokens are no token, even if both are right', async () => {
  const token = `X-Gitlab-Token: ${WEBHOOK_TOKEN}\r\n`;
  const answered = await exchange(`POST /webhooks/gitlab HTTP/1.1\r\n${token}${token}Content-Length: 0\r\n${END}`);
  expect(answered).toMatchObject({ status: 401, json: { code: 'bad_signature' } });
});
