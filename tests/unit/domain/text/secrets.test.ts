import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactDeep, redactSecrets } from '../../../../src/domain/text/secrets.ts';

/** Made up, all of them; in parts, so that no scanner of repositories takes them for real. */
const SECRETS = [
  'GITLAB_TOKEN=glpat-AbCdEfGhIjKlMnOpQrSt',
  'token: "glpat-AbCdEfGhIjKlMnOp1234"',
  'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'aws_access_key_id = AKIAIOSFODNN7EXAMPL2',
  'const key = "AIzaSyA1234567890abcdefghijklmnopqrstuv";',
  'xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx',
  'https://hooks.slack.com/services/T00000000/B11111111/abcdEFGHijklMNOPqrstUVWX',
  'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'postgres://app:hunter2@db.internal:5432/app',
  'DATABASE_URL=mysql://root:s3cr3t@127.0.0.1/x',
  'redis://:p4ssw0rd@cache:6379/0',
  'password: hunter2',
  'password = "S3cr3t!pass"',
  "db_password: 'correct-horse-7-battery'",
  'const apiKey = "f3a9c1d2e4b5a6978890aabbccddeeff";',
  '"client_secret": "Zx9-Kd83jfLQpw0slZmN4bVt"',
  'export SESSION_SECRET=keyboardcat',
  'JWT_SECRET: keyboardcat',
  '  POSTGRES_PASSWORD: letmein',
  '-e MYSQL_ROOT_PASSWORD=letmein',
  'curl -H "PRIVATE-TOKEN: glpat-xyzABC123defGHI456jk" https://x',
  'curl --password hunter22 -u',
  'mysql -u root --password=hunter22',
  "CREATE USER a IDENTIFIED BY 'S3cretPw1'",
  "ALTER ROLE a WITH PASSWORD 'S3cretPw1'",
  'machine example.com login bob password s3cr3tXY',
  'setPassword("S3cretPw1")',
  "cfg.set('token', 'a8f5f167f44f4964e6c998dee827110c')",
  'private readonly token: string = "a8f5f167f44f4964e6c998dee827110c";',
  '//registry.npmjs.org/:_authToken=npm_abcdefghijklmnopqrstuvwxyz0123456789',
  'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm8=;',
  'SECRET_KEY_BASE=3eb6db5a9026c547c72708438d496d942e976b252138db7e4e0ee5edd7539457d3ed0fa02ee5e7179420ce5290462018591adaf5f42adcf855da04877827def2',
  'spring.datasource.password=Pa55word',
  'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD',
  'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789',
  'sk_live_51HabcdefghijklmnopQRSTuv',
  "token = 'd41d8cd98f00b204e9800998ecf8427e'",
  'The password is: Tr0ub4dor&3',
  'password: "P4ssw0rd"',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAxyz\nabcdefgh12345678\n-----END RSA PRIVATE KEY-----',
  '{"private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq\\nabc\\n-----END PRIVATE KEY-----\\n"}',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nQyNTUxOQAAACB\n',
  'apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  user: YWRtaW4=\n  pw: MWYyZDFlMmU2N2Rm\n',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'Authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l',
  'bot 123456789:AAF9qwertyuiopasdfghjklzxcvbnm12345',
];

const ORDINARY = [
  'password: string;',
  'token: ToolResult',
  'const token = await getToken();',
  'secret: Uint8Array,',
  'type="password"',
  "t('password')",
  'password: "Password"',
  'max_tokens: 4096',
  'tokenizer: "unicode61"',
  'GITLAB_TOKEN=${GITLAB_TOKEN}',
  'PASSWORD=<your password>',
  'token: process.env.TOKEN',
  'apiKey: config.apiKey,',
  'secretName: my-app-secret-2',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  'integrity sha512-abcdefghijklmnop==',
  'https://example.com:8080/a@b',
  'user:pass',
  'passwordField.value = input1;',
  'if (token === expected) {',
  'credentials: "include"',
  'credentials: "same-origin"',
  'const PASSWORD_MIN_LENGTH = 12',
  'secret: z.string().min(8)',
  'token: text.slice(0, 8)',
  'authKey: this.options.key2',
  'password_digest :string',
  'csrfToken: req.csrfToken()',
  "import { token } from './token-2.ts'",
  'Token types: A1, B2',
  'the token (see RFC6750)',
  'tokens.push("a1b2")',
  'scheme: "http://user@example.com"',
  "expect(token).toBe('abc')",
  'session: "refresh"',
  'secret = secrets.token_hex(16)',
  'PASSWORD=',
  'TOKEN=""',
  'access token: 2 h, refresh rotates',
  'api key: ask alice',
  "case 'token': return 1",
  'key: "orders-export-2024"',
  'auth: oauth2',
  '"token": "string"',
  'secret: true',
  'postgres://user:${PASSWORD}@host/db',
  'http://user:<password>@host',
  'glpat-xxxxxxxxxxxxxxxxxxxx',
  'private_key_path: /etc/ssl/key1.pem',
  'tokenUrl: "https://a.example/oauth2/token"',
  'api_key: 42',
];

test.each(SECRETS)('%s', (text) => {
  const redacted = redactSecrets(text);
  expect(redacted).toContain('[redacted');
  expect(redacted.split('\n')).toHaveLength(text.split('\n').length);
  expect(redactSecrets(redacted)).toBe(redacted);
});

test.each(ORDINARY)('%s stays', (text) => {
  expect(redactSecrets(text)).toBe(text);
});

describe('what is left', () => {
  test.each([
    ['password = "S3cr3t!pass"; // for the tests', 'password = "[redacted]"; // for the tests'],
    ['postgres://app:hunter2@db.internal:5432/app?x=1', 'postgres://app:[redacted password]@db.internal:5432/app?x=1'],
    [
      'const a = 1;\nconst apiKey = "f3a9c1d2e4b5a6978890";\nconst b = 2;',
      'const a = 1;\nconst apiKey = "[redacted]";\nconst b = 2;',
    ],
    ['{"token":"a8f5f167f44f4964e6c998dee827110c","n":1}', '{"token":"[redacted]","n":1}'],
    ['curl -H "Authorization: Bearer abc.DEF.123456" x', 'curl -H "Authorization: Bearer [redacted]" x'],
  ])('%s', (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  test('the lines of a private key, each by itself', () => {
    const key = [
      'a',
      '-----BEGIN EC PRIVATE KEY-----',
      'MHcCAQEEIIGL',
      'oAoGCCqGSM49',
      '-----END EC PRIVATE KEY-----',
      'b',
    ];
    expect(redactSecrets(key.join('\n')).split('\n')).toEqual([
      'a',
      '-----BEGIN EC PRIVATE KEY-----',
      '[redacted private key]',
      '',
      '-----END EC PRIVATE KEY-----',
      'b',
    ]);
  });

  test('a public key and a certificate', () => {
    const text =
      '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTAN\n-----END CERTIFICATE-----\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ x';
    expect(redactSecrets(text)).toBe(text);
  });
});

describe('a file of variables', () => {
  const text = '# Where it runs\nHOST=db.internal\nexport NAME="Alice Example"\n\nEMPTY=\nPORT: 5432\n';

  test.each(['.env', 'deploy/.env.production', 'config/app.env', '.ENV'])('%s tells no value', (path) => {
    expect(redactSecrets(text, { path })).toBe(
      '# Where it runs\nHOST=[redacted]\nexport NAME=[redacted]\n\nEMPTY=\nPORT: [redacted]\n',
    );
  });

  test.each(['.env.example', '.env.sample', 'src/env.ts', 'README.md'])('%s is not one', (path) => {
    expect(redactSecrets(text, { path })).toBe(text);
  });

  test('the last part of each line of .pgpass is one', () => {
    expect(redactSecrets('db:5432:app:alice:pw:x\n', { path: '.pgpass' })).toBe('db:5432:app:alice:pw:[redacted]\n');
  });
});

test('a name in data is the key', () => {
  const data = { list: [{ password: 'hunter2', note: 'it is "hunter2"', n: 1 }], nothing: null };
  expect(redactDeep(data)).toEqual({
    list: [{ password: '[redacted]', note: 'it is "hunter2"', n: 1 }],
    nothing: null,
  });
});

test('the project itself is ordinary: none of its sources, pages and samples is changed', () => {
  const root = join(import.meta.dirname, '../../../..');
  const changed = ['src', 'docs', 'sandbox', 'pieces', 'migrations', 'workers', 'schema'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|md|sql|ya?ml|json|html|css|js)$/.test(entry.name))
      .filter((entry) => {
        const path = join(entry.parentPath, entry.name);
        const text = readFileSync(path, 'utf8');
        return redactSecrets(text, { path }) !== text;
      })
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  );
  expect(changed).toEqual([]);
});

const part = fc.oneof(
  fc.constantFrom(
    ...SECRETS,
    ...ORDINARY,
    'password',
    'token',
    ': ',
    '=',
    '"',
    "'",
    '\n',
    '\\n',
    ' ',
    '://',
    '@',
    'eyJ',
    'PRIVATE KEY-----',
  ),
  fc.string({ maxLength: 12 }),
);

test('whatever surrounds them, lines keep their numbers and a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), fc.constantFrom(undefined, '.env'), (parts, path) => {
      const text = parts.join(' ');
      const options = path === undefined ? {} : { path };
      const once = redactSecrets(text, options);
      expect(once.split('\n')).toHaveLength(text.split('\n').length);
      expect(redactSecrets(once, options)).toBe(once);
    }),
    { numRuns: 3000, seed: 5 },
  );
});

test('a secret on a line of its own never passes, whatever stands on the others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...ORDINARY), { maxLength: 6 }),
      fc.constantFrom(...SECRETS),
      (lines, secret) => {
        const at = Math.floor(lines.length / 2);
        const redacted = redactSecrets([...lines.slice(0, at), secret, ...lines.slice(at)].join('\n'));
        expect(redacted).toContain('[redacted');
        expect(redacted).not.toContain(secret);
      },
    ),
    { numRuns: 1000, seed: 6 },
  );
});

test.each(['token=', 'token="', '-----BEGIN PRIVATE KEY-----', 'a://b:', 'eyJ-', 'login a password ', 'secret: a | '])(
  'a text of 300,000 characters of %s takes linear time',
  (unit) => {
    const text = unit.repeat(300_000 / unit.length);
    expect(redactSecrets(text).length).toBeGreaterThan(0);
  },
);

test.each([0, 1, 7, 14, 15, 16, 29])(
  'a secret is found wherever in a text it stands (after %i characters)',
  (before) => {
    const secret = `xoxb-${'a1B2c3D4e5'}`;

    expect(redactSecrets(`${' '.repeat(before)}${secret} and more`)).not.toContain(secret);
    expect(redactSecrets(`${'ab '.repeat(before)}${secret}`)).not.toContain(secret);
  },
);
