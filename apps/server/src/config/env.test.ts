import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { toEncryptionKey } from './encryption-keys.js';
import { readConfig } from './env.js';

const tlsFile = (name: string) => fileURLToPath(new URL(`../../test-support/tls-files/${name}.pem`, import.meta.url));
const [TLS_CERT_FILE, TLS_KEY_FILE] = [tlsFile('certificate'), tlsFile('key')];

const read = (env: Readonly<Record<string, string | undefined>>) => readConfig(env, '/default/data');
function problems(env: Readonly<Record<string, string>>): string {
  try {
    read(env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The configuration is valid');
}

describe('readConfig', () => {
  // @proves contract 7: Failed authentication
  // @proves contract 10: The environment variables
  test('returns the defaults when no variable is set', () => {
    expect(read({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: null,
      databaseReplicaUrl: null,
      dataDir: '/default/data',
      processes: 1,
      databasePoolMax: Math.min(2 * availableParallelism() + 1, 40),
      registration: 'open',
      encryptionKeys: [],
      stepUpMaxAgeSeconds: 600,
      keyMaxValidityDays: 365,
      integrationClientsRequireStepUp: false,
      tls: null,
      trustProxyHops: 0,
      allowInsecureHttp: false,
      ratesPerMinute: { reads: 600, writes: 300, admin: 10, auth_failures: 20 },
      redisUrl: null,
    });
  });

  // @proves contract 10: The environment variables
  test('returns the values of the variables that are set', () => {
    const env = {
      HOST: '::1',
      PORT: '0',
      DATABASE_URL: 'postgresql://me@db/centavo',
      DATABASE_OWNER_URL: 'postgres://owner@db/centavo',
      DATABASE_REPLICA_URL: 'postgres://me@standby/centavo',
      DATA_DIR: '/srv/data',
      REGISTRATION: 'closed',
      ENCRYPTION_KEY: `${Buffer.alloc(32, 1).toString('base64')},${Buffer.alloc(32, 2).toString('base64')}`,
      STEP_UP_MAX_AGE_SECONDS: '1',
      KEY_MAX_VALIDITY_DAYS: '30',
      INTEGRATION_CLIENTS_REQUIRE_STEP_UP: 'true',
      TLS_CERT_FILE,
      TLS_KEY_FILE,
      TRUST_PROXY: '2',
      RATE_LIMIT_READS_PER_MINUTE: '60',
      RATE_LIMIT_WRITES_PER_MINUTE: '0',
      RATE_LIMIT_ADMIN_PER_MINUTE: '5',
      RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '7',
      REDIS_URL: 'rediss://redis.example.org:6380/1',
    };
    expect(read(env)).toMatchObject({
      host: '::1',
      port: 0,
      databaseUrl: 'postgresql://me@db/centavo',
      databaseOwnerUrl: 'postgres://owner@db/centavo',
      databaseReplicaUrl: 'postgres://me@standby/centavo',
      dataDir: '/srv/data',
      registration: 'closed',
      encryptionKeys: [toEncryptionKey(Buffer.alloc(32, 1)), toEncryptionKey(Buffer.alloc(32, 2))],
      stepUpMaxAgeSeconds: 1,
      keyMaxValidityDays: 30,
      integrationClientsRequireStepUp: true,
      tls: { certificate: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) },
      warnings: [],
      trustProxyHops: 2,
      ratesPerMinute: { reads: 60, writes: 0, admin: 5, auth_failures: 7 },
      redisUrl: 'rediss://redis.example.org:6380/1',
    });
  });

  test('treats an empty variable as unset, and ignores unknown variables', () => {
    expect(read({ PORT: '', HOST: '', TLS_CERT_FILE: '', DATABASE_URL: undefined, PATH: '/bin' })).toEqual(read({}));
  });

  test.each([
    'postgres://u:SEC%40RET%2FPW@h/db',
    'postgres://h/db?user=me@server',
    'postgres:///db?host=/run/postgresql',
  ])(
    'accepts a database URL with a percent-encoded password, or with user or host in the query: %s',
    (DATABASE_URL) => {
      expect(read({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
    },
  );
});

describe('an invalid setting', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://db'],
    ['DATABASE_OWNER_URL', 'mysql://db'],
    ['DATABASE_REPLICA_URL', 'standby:5432'],
    ['CENTAVO_PROCESSES', '0'],
    ['CENTAVO_PROCESSES', '65'],
    ['CENTAVO_PROCESSES', 'all'],
    ['LOG_LEVEL', 'loud'],
    ['REGISTRATION', 'maybe'],
    ['ENCRYPTION_KEY', 'choose a long one'],
    ['ENCRYPTION_KEY', Buffer.alloc(31).toString('base64')],
    ['ENCRYPTION_KEY', `${Buffer.alloc(32).toString('base64')},`],
    ['STEP_UP_MAX_AGE_SECONDS', '10m'],
    ['STEP_UP_MAX_AGE_SECONDS', '0'],
    ['KEY_MAX_VALIDITY_DAYS', '0'],
    ['INTEGRATION_CLIENTS_REQUIRE_STEP_UP', 'yes'],
    ['TRUST_PROXY', 'true'],
    ['ALLOW_INSECURE_HTTP', '1'],
    ['RATE_LIMIT_READS_PER_MINUTE', '-1'],
    ['RATE_LIMIT_WRITES_PER_MINUTE', 'off'],
    ['RATE_LIMIT_ADMIN_PER_MINUTE', '10.5'],
    ['RATE_LIMIT_AUTH_FAILURES_PER_MINUTE', '1000001'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis://['],
  ])('is reported with the name of its variable: %s=%s', (name, value) => {
    expect(problems({ [name]: value })).toMatch(new RegExp(`^  - ${name} is `, 'm'));
  });

  test('is reported with the reason, and with its value unless it is secret', () => {
    expect(problems({ PORT: 'eighty' })).toContain('  - PORT is "eighty", which is not a whole number');
    expect(problems({ PORT: '80808080808' })).toContain('  - PORT is "80808080808", which is not between 0 and 65535');
    expect(problems({ ENCRYPTION_KEY: 'long' })).toContain(
      'is not 32 bytes in Base64, as `openssl rand -base64 32` prints',
    );
    expect(problems({ KEY_MAX_VALIDITY_DAYS: '-1' })).toContain('which is not between 1 and 3650');
    expect(problems({ LOG_LEVEL: 'loud' })).toContain(
      '  - LOG_LEVEL is "loud", which is not one of fatal, error, warn, info, debug, trace, silent',
    );
  });

  test.each(['postgres://me:50%off@db/books', 'postgres://me:a/b@db/books'])(
    'is reported with the percent-encodings to use if the password of a URL has a reserved character: %s',
    (DATABASE_URL) => {
      expect(problems({ DATABASE_URL })).toContain(
        'DATABASE_URL is not a postgres:// URL (percent-encode user and password: write @ as %40, / as %2F, ',
      );
    },
  );

  test.each([
    'postgres://u:SEC@RET/PW@h/db',
    'postgres://u:SEC@RET?PW@h/db',
    'postgres://u:SEC@RET?P=W@h/db',
    'postgres://u:SEC@RET#PW@h/db',
    'postgres://SEC:12/PW@h/db',
    'postgres://SEC:12?PW@h/db',
  ])(
    'is reported without any part of the URL if the user or a part of the password would be parsed as the host: %s',
    (url) => {
      for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL']) {
        const text = problems({ DATABASE_URL: 'postgres://me@db/centavo', [name]: url });
        expect(text).toContain(`${name} is not a postgres:// URL (percent-encode user and password: `);
        expect(text).not.toMatch(/SEC|RET|PW/);
      }
    },
  );

  test('is reported together with all other invalid settings', () => {
    const text = problems({
      HOST: '0.0.0.0',
      PORT: 'http',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: '0',
      TLS_KEY_FILE: 'key.pem',
      ALLOW_INSECURE_HTTP: 'please',
    });
    for (const name of ['HOST', 'PORT', 'LOG_LEVEL', 'TLS_CERT_FILE and TLS_KEY_FILE', 'ALLOW_INSECURE_HTTP']) {
      expect(text).toContain(`\n  - ${name} `);
    }
  });

  test('is reported without its value if it is a key, or a URL that may contain a password', () => {
    expect(problems({ DATABASE_URL: 'postgres:/me:S3cret@db' })).not.toContain('S3cret');
    expect(problems({ REDIS_URL: 'redis:/me:S3cret@db' })).not.toContain('S3cret');
    expect(problems({ DATABASE_REPLICA_URL: 'postgres:/me:S3cret@db' })).not.toContain('S3cret');
    expect(problems({ DATABASE_OWNER_URL: 'postgres:/me:S3cret@db' })).not.toContain('S3cret');
    expect(problems({ ENCRYPTION_KEY: 'S3cret' })).not.toContain('S3cret');
  });

  test('is reported if DATABASE_REPLICA_URL is set without DATABASE_URL', () => {
    expect(problems({ DATABASE_REPLICA_URL: 'postgres://me@standby/centavo' })).toContain(
      '  - DATABASE_REPLICA_URL is set without DATABASE_URL',
    );
  });

  test.each(['TLS_CERT_FILE', 'TLS_KEY_FILE'])('is reported if %s is set without the other TLS file', (name) => {
    expect(problems({ [name]: 'file.pem' })).toContain('TLS_CERT_FILE and TLS_KEY_FILE must both be set, or neither');
  });
});

describe('several server processes', () => {
  const unlimited = {
    RATE_LIMIT_READS_PER_MINUTE: '0',
    RATE_LIMIT_WRITES_PER_MINUTE: '0',
    RATE_LIMIT_ADMIN_PER_MINUTE: '0',
    RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
  };

  test('are rejected without Redis if a rate limit is on; the error contains the remedy and also reports an invalid PORT', () => {
    const text = problems({ ...unlimited, RATE_LIMIT_ADMIN_PER_MINUTE: '5', CENTAVO_PROCESSES: '3', PORT: 'http' });
    expect(text).toContain(
      '  - CENTAVO_PROCESSES is "3", and each process would count requests separately: set REDIS_URL, or switch these ' +
        'limits off with 0 (RATE_LIMIT_ADMIN_PER_MINUTE)',
    );
    expect(text).toContain('  - PORT is ');
    // All rate limits are on by default.
    for (const name of Object.keys(unlimited)) expect(problems({ CENTAVO_PROCESSES: '2' })).toContain(name);
  });

  test('are accepted with Redis, or without rate limits', () => {
    expect(read({ CENTAVO_PROCESSES: '3', REDIS_URL: 'redis://localhost' }).processes).toBe(3);
    expect(read({ CENTAVO_PROCESSES: '3', ...unlimited }).processes).toBe(3);
  });

  const DATABASE_URL = 'postgres://me@db/centavo';

  test.each([
    ['the embedded PostgreSQL', {}],
    ['DATABASE_URL', { DATABASE_URL }],
  ])('leave at least 20 of 100 database connections free by default with %s, for 1 to 64 processes', (_, database) => {
    for (const processes of [1, 2, 3, 7, 8, 20, 64]) {
      const { databasePoolMax } = read({ CENTAVO_PROCESSES: String(processes), ...database, ...unlimited });
      expect(databasePoolMax).toBeGreaterThanOrEqual(1);
      expect((processes + 1) * databasePoolMax).toBeLessThanOrEqual(80);
    }
  });

  test('open at most ten connections each by default with DATABASE_URL, as a single process does', () => {
    expect(read({ DATABASE_URL }).databasePoolMax).toBe(10);
    expect(read({ CENTAVO_PROCESSES: '7', DATABASE_URL, ...unlimited }).databasePoolMax).toBe(10);
  });

  test('open at most DATABASE_POOL_MAX connections each if DATABASE_POOL_MAX is set', () => {
    for (const database of [{}, { DATABASE_URL }]) {
      const env = { CENTAVO_PROCESSES: '20', DATABASE_POOL_MAX: '15', ...database, ...unlimited };
      expect(read(env).databasePoolMax).toBe(15);
    }
  });
});

describe('the files for HTTPS', () => {
  const files = (cert: string, key: string) =>
    problems({ TLS_CERT_FILE: tlsFile(cert), TLS_KEY_FILE: tlsFile(key), PORT: 'x' });

  test('are both reported if they cannot be read, together with an invalid PORT', () => {
    const text = files('absent', 'gone');
    expect(text).toContain(`  - TLS_CERT_FILE names ${tlsFile('absent')}, which cannot be read (ENOENT)`);
    expect(text).toContain(`  - TLS_KEY_FILE names ${tlsFile('gone')}, which cannot be read (ENOENT)`);
    expect(text).toContain('  - PORT is ');
  });

  test('are both reported if their contents are wrong', () => {
    const text = files('key', 'certificate');
    expect(text).toContain(`  - TLS_CERT_FILE ${tlsFile('key')} contains no certificate in PEM`);
    expect(text).toContain(`  - TLS_KEY_FILE ${tlsFile('certificate')} contains no private key in PEM`);
  });

  test('are rejected if the key is not the key of the certificate, or has a passphrase', () => {
    expect(files('certificate', 'another-key')).toMatch(
      /TLS_KEY_FILE \S+ is not the key of the certificate in TLS_CERT_FILE/,
    );
    expect(files('certificate', 'encrypted-key')).toMatch(/TLS_KEY_FILE \S+ is encrypted/);
  });

  test.each([
    ['2300-01-01', /expired on/],
    ['2000-01-01', /is valid only from/],
  ])(
    'are accepted with a warning if the period of the certificate does not contain the current date, %s',
    (day, warning) => {
      const { tls, warnings } = readConfig({ TLS_CERT_FILE, TLS_KEY_FILE }, '/default/data', new Date(day));
      expect(tls).not.toBeNull();
      expect(warnings).toEqual([expect.stringMatching(warning)]);
    },
  );
});

describe('the setting HOST', () => {
  // @proves contract 10: On a host that is not loopback
  test.each(['0.0.0.0', '::', '192.168.1.10', 'example.org', '127.0.0.1.example.org'])(
    'without TLS, a HOST that is not loopback is rejected: %s',
    (HOST) => {
      expect(problems({ HOST })).toContain(`HOST ${HOST} is not loopback`);
    },
  );

  test.each([{ TLS_CERT_FILE, TLS_KEY_FILE }, { TRUST_PROXY: '1' }, { ALLOW_INSECURE_HTTP: 'true' }])(
    'is accepted with %j even if it is not loopback',
    (env) => {
      expect(read({ HOST: '0.0.0.0', ...env }).host).toBe('0.0.0.0');
    },
  );

  test.each([{ TRUST_PROXY: '0' }, { ALLOW_INSECURE_HTTP: 'false' }])(
    'is rejected with %j if it is not loopback',
    (env) => {
      expect(problems({ HOST: '0.0.0.0', ...env })).toContain('is not loopback');
    },
  );

  test.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])(
    'is accepted with plain HTTP if it is loopback: %s',
    (HOST) => {
      expect(read({ HOST }).host).toBe(HOST);
    },
  );
});
