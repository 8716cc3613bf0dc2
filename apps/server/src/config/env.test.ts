import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { toEncryptionKey } from './encryption-keys.js';
import { readConfig } from './env.js';

const tlsFile = (name: string) => fileURLToPath(new URL(`../../test-support/tls-files/${name}.pem`, import.meta.url));
const [TLS_CERT_FILE, TLS_KEY_FILE] = [tlsFile('certificate'), tlsFile('key')];

const read = (env: Readonly<Record<string, string | undefined>>) => readConfig(env, '/default/data');
function mistakes(env: Readonly<Record<string, string>>): string {
  try {
    read(env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('Nothing was refused');
}

describe('the configuration', () => {
  test('needs nothing from the environment', () => {
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

  test('takes what the operator says', () => {
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

  test('reads an empty variable as unset, and leaves alone what it does not know', () => {
    expect(read({ PORT: '', HOST: '', TLS_CERT_FILE: '', DATABASE_URL: undefined, PATH: '/bin' })).toEqual(read({}));
  });
});

describe('a mistake', () => {
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
  ])('in %s=%s is named by its variable', (name, value) => {
    expect(mistakes({ [name]: value })).toMatch(new RegExp(`^  - ${name} is `, 'm'));
  });

  test('repeats what was given and says what may be', () => {
    expect(mistakes({ PORT: 'eighty' })).toContain('  - PORT is "eighty", which is not a whole number');
    expect(mistakes({ ENCRYPTION_KEY: 'long' })).toContain(
      'is not 32 bytes in Base64, as `openssl rand -base64 32` prints',
    );
    expect(mistakes({ KEY_MAX_VALIDITY_DAYS: '-1' })).toContain('which is not between 1 and 3650');
    expect(mistakes({ LOG_LEVEL: 'loud' })).toContain(
      '  - LOG_LEVEL is "loud", which is not one of fatal, error, warn, info, debug, trace, silent',
    );
  });

  test.each(['postgres://me:50%off@db/books', 'postgres://me:a/b@db/books'])(
    'in the password of an address is told as how to write it: %s',
    (DATABASE_URL) => {
      expect(mistakes({ DATABASE_URL })).toContain('DATABASE_URL is not a postgres:// address (in user and password');
    },
  );

  test('never hides another one: all are named at once', () => {
    const text = mistakes({
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

  test('does not repeat an address, which may hold a password, nor a key', () => {
    expect(mistakes({ DATABASE_URL: 'postgres:/me:S3cret@db' })).not.toContain('S3cret');
    expect(mistakes({ REDIS_URL: 'redis:/me:S3cret@db' })).not.toContain('S3cret');
    expect(mistakes({ DATABASE_REPLICA_URL: 'postgres:/me:S3cret@db' })).not.toContain('S3cret');
    expect(mistakes({ DATABASE_OWNER_URL: 'postgres:/me:S3cret@db' })).not.toContain('S3cret');
    expect(mistakes({ ENCRYPTION_KEY: 'S3cret' })).not.toContain('S3cret');
  });

  test('is a replica of the embedded PostgreSQL, which has none', () => {
    expect(mistakes({ DATABASE_REPLICA_URL: 'postgres://me@standby/centavo' })).toContain(
      '  - DATABASE_REPLICA_URL is set without DATABASE_URL',
    );
  });

  test.each(['TLS_CERT_FILE', 'TLS_KEY_FILE'])('is %s without the other half', (name) => {
    expect(mistakes({ [name]: 'file.pem' })).toContain('TLS_CERT_FILE and TLS_KEY_FILE go together');
  });
});

describe('several processes', () => {
  const unlimited = {
    RATE_LIMIT_READS_PER_MINUTE: '0',
    RATE_LIMIT_WRITES_PER_MINUTE: '0',
    RATE_LIMIT_ADMIN_PER_MINUTE: '0',
    RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
  };

  test('are refused where each would count by itself, with what to set, also beside another mistake', () => {
    const text = mistakes({ ...unlimited, RATE_LIMIT_ADMIN_PER_MINUTE: '5', CENTAVO_PROCESSES: '3', PORT: 'http' });
    expect(text).toContain(
      '  - CENTAVO_PROCESSES is "3", and each process would count by itself: set REDIS_URL, or switch off with 0 what is ' +
        'limited (RATE_LIMIT_ADMIN_PER_MINUTE)',
    );
    expect(text).toContain('  - PORT is ');
    // A limit that is left alone is on.
    for (const name of Object.keys(unlimited)) expect(mistakes({ CENTAVO_PROCESSES: '2' })).toContain(name);
  });

  test('are taken with a Redis to count in, and without limits', () => {
    expect(read({ CENTAVO_PROCESSES: '3', REDIS_URL: 'redis://localhost' }).processes).toBe(3);
    expect(read({ CENTAVO_PROCESSES: '3', ...unlimited }).processes).toBe(3);
  });

  const DATABASE_URL = 'postgres://me@db/centavo';

  test.each([
    ['the embedded PostgreSQL', {}],
    ['DATABASE_URL', { DATABASE_URL }],
  ])('of %s leave 20 of 100 connections to others by default, however many processes there are', (_, database) => {
    for (const processes of [1, 2, 3, 7, 8, 20, 64]) {
      const { databasePoolMax } = read({ CENTAVO_PROCESSES: String(processes), ...database, ...unlimited });
      expect(databasePoolMax).toBeGreaterThanOrEqual(1);
      expect((processes + 1) * databasePoolMax).toBeLessThanOrEqual(80);
    }
  });

  test('take ten connections each with a DATABASE_URL', () => {
    expect(read({ DATABASE_URL }).databasePoolMax).toBe(10);
    expect(read({ CENTAVO_PROCESSES: '7', DATABASE_URL, ...unlimited }).databasePoolMax).toBe(10);
  });

  test('take as many connections as the operator says', () => {
    for (const database of [{}, { DATABASE_URL }]) {
      const env = { CENTAVO_PROCESSES: '20', DATABASE_POOL_MAX: '15', ...database, ...unlimited };
      expect(read(env).databasePoolMax).toBe(15);
    }
  });
});

describe('the files for HTTPS', () => {
  const files = (cert: string, key: string) =>
    mistakes({ TLS_CERT_FILE: tlsFile(cert), TLS_KEY_FILE: tlsFile(key), PORT: 'x' });

  test('that cannot be read are both named, beside every other mistake', () => {
    const text = files('absent', 'gone');
    expect(text).toContain(`  - TLS_CERT_FILE names ${tlsFile('absent')}, which cannot be read (ENOENT)`);
    expect(text).toContain(`  - TLS_KEY_FILE names ${tlsFile('gone')}, which cannot be read (ENOENT)`);
    expect(text).toContain('  - PORT is ');
  });

  test('that are not what they should be are both named', () => {
    const text = files('key', 'certificate');
    expect(text).toContain(`  - TLS_CERT_FILE ${tlsFile('key')} holds no certificate in PEM`);
    expect(text).toContain(`  - TLS_KEY_FILE ${tlsFile('certificate')} holds no private key in PEM`);
  });

  test('that do not belong together are refused, as is a key under a passphrase', () => {
    expect(files('certificate', 'another-key')).toMatch(
      /TLS_KEY_FILE \S+ is not the key of the certificate in TLS_CERT_FILE/,
    );
    expect(files('certificate', 'encrypted-key')).toMatch(/TLS_KEY_FILE \S+ is encrypted/);
  });

  test.each([
    ['2300-01-01', /expired on/],
    ['2000-01-01', /is valid from/],
  ])('are taken in %s, when the certificate is not valid, with a warning', (day, warning) => {
    const { tls, warnings } = readConfig({ TLS_CERT_FILE, TLS_KEY_FILE }, '/default/data', new Date(day));
    expect(tls).not.toBeNull();
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });
});

describe('a host that is not loopback', () => {
  test.each(['0.0.0.0', '::', '192.168.1.10', 'example.org', '127.0.0.1.example.org'])(
    '%s is refused in plain HTTP',
    (HOST) => {
      expect(mistakes({ HOST })).toContain(`HOST ${HOST} is not loopback`);
    },
  );

  test.each([{ TLS_CERT_FILE, TLS_KEY_FILE }, { TRUST_PROXY: '1' }, { ALLOW_INSECURE_HTTP: 'true' }])(
    'is accepted with %j',
    (env) => {
      expect(read({ HOST: '0.0.0.0', ...env }).host).toBe('0.0.0.0');
    },
  );

  test.each([{ TRUST_PROXY: '0' }, { ALLOW_INSECURE_HTTP: 'false' }])('is refused with %j', (env) => {
    expect(mistakes({ HOST: '0.0.0.0', ...env })).toContain('is not loopback');
  });

  test.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('is not %s', (HOST) => {
    expect(read({ HOST }).host).toBe(HOST);
  });
});
