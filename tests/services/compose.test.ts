/** The compose file hands every setting on, connects the demo's project, and is one that docker-compose takes. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Settings } from '../../src/config.ts';

const root = path.join(import.meta.dirname, '../..');

interface Service {
  healthcheck?: { test: string[] };
  environment?: Record<string, string>;
  command?: string[];
  profiles?: string[];
}

const text = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
const services: Record<string, Service> = parse(text, { merge: true }).services;

describe('docker-compose.yml', () => {
  test.each(['api', 'runs', 'deliveries', 'maintenance', 'migrate', 'connect'])('%s is given every setting', (name) => {
    expect(Object.keys(services[name]?.environment ?? {}).sort()).toEqual(Object.keys(Settings.shape).sort());
  });

  test('names no setting that the person cannot set, but those of the file itself', () => {
    const fixed = Object.entries(services['api']?.environment ?? {}).filter(([, value]) => !value.startsWith('${'));
    expect(fixed.map(([name]) => name)).toEqual(['HOST', 'PORT', 'DATABASE_URL', 'REDIS_URL']);
  });

  // Pauses, ends and tokens are counted by the workers: without their port nobody could scrape them.
  test.each(['runs', 'deliveries', 'maintenance'])(
    '%s serves its metrics, and says whether it gets its jobs',
    (name) => {
      expect(services[name]?.environment?.['WORKER_HEALTH_PORT']).toBe('${WORKER_HEALTH_PORT:-9464}');
      expect(services[name]?.healthcheck?.test.join(' ')).toMatch(/WORKER_HEALTH_PORT.*\/readyz/);
    },
  );

  test('the demo registers the hook as a Maintainer, at an address that the sandbox reaches', () => {
    expect(services['connect']).toMatchObject({
      profiles: ['demo'],
      command: ['connect', 'acme/sample'],
      environment: { GITLAB_TOKEN: 'sandbox-maria', PUBLIC_URL: 'http://api:3000' },
    });
  });
});

const compose = spawnSync('docker-compose', ['version'], { encoding: 'utf8' });

test.skipIf(compose.status !== 0)('docker-compose takes the file (skipped only where it is not installed)', () => {
  const args = ['--env-file', 'docker-demo.env', '--profile', 'demo', 'config'];

  const result = spawnSync('docker-compose', args, { cwd: root, encoding: 'utf8' });

  expect(result.stderr).toBe('');
  expect(result.status).toBe(0);
  expect(result.stdout).toContain('GITLAB_TOKEN: sandbox-maria');
});
