import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

test('the issue page shows title, description, labels and notes with their anchors', async () => {
  const note = await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', {
    body: 'A **note** <!-- unseen words -->',
  });

  const html = await (await fetch(`${sandbox.url}/acme/sample/-/issues/2`)).text();

  expect(html).toContain('<h1>Let customers share the tracking page of an order</h1>');
  expect(html).toContain('<strong>without signing in</strong>');
  expect(html).toContain('>type::feature<');
  expect(html).toContain(`id="note_${note.body.id}"`);
  expect(html).toContain('A <strong>note</strong>');
  expect(html).not.toContain('unseen words');
});

test('the issue page runs no script, whatever people write', async () => {
  const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>';
  const made = await sandbox.api('alice', 'POST', '/projects/1/issues', {
    title: evil,
    description: evil,
    labels: evil,
  });
  await sandbox.api('carol', 'POST', `/projects/1/issues/${made.body.iid}/notes`, { body: evil });

  const response = await fetch(`${sandbox.url}/acme/sample/-/issues/${made.body.iid}`);
  const html = await response.text();

  expect(html).not.toMatch(/<script|<img/);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('content-security-policy')).not.toContain('script-src');
});

test('a permalink shows the file with numbered lines', async () => {
  const sha = (await sandbox.api('alice', 'GET', '/projects/1/repository/branches/main')).body.commit.id;

  const response = await fetch(`${sandbox.url}/acme/sample/-/blob/${sha}/src/auth/permissions.ts`);
  const html = await response.text();

  expect(response.status).toBe(200);
  expect(html).toContain('id="L9"');
  expect(html).toContain('export type Permission =');
});

test('the first page leads to every issue', async () => {
  const html = await (await fetch(sandbox.url)).text();

  for (const iid of [1, 2, 3, 4, 5]) expect(html).toContain(`href="/acme/sample/-/issues/${iid}"`);
});

test('the page of a nested project is found', async () => {
  await sandbox.control('POST', '/projects', { path: 'a/b/c/d', issues: [{ title: 'Deep' }], members: {} });

  expect(await (await fetch(`${sandbox.url}/a/b/c/d/-/issues/1`)).text()).toContain('<h1>Deep</h1>');
});

test('what is not there is a 404, as a page for browsers and as JSON for programs', async () => {
  const address = `${sandbox.url}/acme/sample/-/issues/99`;
  const browser = await fetch(address, { headers: { accept: 'text/html' } });
  const program = await fetch(address, { headers: { accept: 'application/json' } });

  expect([browser.status, program.status]).toEqual([404, 404]);
  expect(await browser.text()).toContain('<html');
  expect(await program.json()).toEqual({ error: '404 Not Found' });
});
