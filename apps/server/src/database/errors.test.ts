import { describe, expect, test } from 'vitest';
import {
  CommitOutcomeUnknown,
  DatabaseAway,
  explainRefusal,
  isConnectionFailure,
  isOutage,
  isRepeatable,
  StaleFacts,
  sqlStateOf,
  violatedConstraint,
  violatesNotNull,
} from './errors.js';

const coded = (code: string, message = 'failed', others: object = {}) =>
  Object.assign(new Error(message), { code, ...others });

describe('the SQLSTATE of an error', () => {
  test.each(['23505', '40P01', '57P01', 'XX000', 'P0001', 'F0000', '0A000'])('is read: %s', (state) => {
    expect(sqlStateOf(coded(state))).toBe(state);
  });

  test.each(['EPIPE', 'EPERM', 'ECONNRESET', 'ERR_X', '2350', '235055'])('is not what the system calls %s', (code) => {
    expect(sqlStateOf(coded(code))).toBeUndefined();
  });

  test.each([null, undefined, 'text', 5, {}, { code: 23_505 }])('is none of %j', (error) => {
    expect(sqlStateOf(error)).toBeUndefined();
  });
});

describe('a connection failure', () => {
  test.each([
    coded('08006'),
    coded('08001'),
    coded('57P01'),
    coded('57P03'),
    coded('XX000', 'could not commit transaction for shard 102040 on at least one active node'),
    coded('XX000', 'failure on connection marked as essential: 10.0.0.2:5432'),
    coded('ECONNREFUSED'),
    coded('ECONNRESET'),
    coded('EPIPE'),
    coded('EPERM'),
    coded('ETIMEDOUT'),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new Error('timeout exceeded when waiting for the answers of PostgreSQL'),
    Object.assign(new Error('Knex: Timeout acquiring a connection.'), { name: 'KnexTimeoutError' }),
  ])('is %s', (error) => {
    expect(isConnectionFailure(error)).toBe(true);
    expect(isRepeatable(error)).toBe(true);
  });

  test.each([
    coded('23505', 'Connection terminated'),
    coded('25P02', 'current transaction is aborted'),
    coded('42601'),
    coded('XX000', 'cache lookup failed for relation 102040'),
    new TypeError('x is not a function'),
    'Connection terminated',
    null,
  ])('is not %s', (error) => {
    expect(isConnectionFailure(error)).toBe(false);
    expect(isRepeatable(error)).toBe(false);
  });
});

describe('what may be run again', () => {
  test.each(['40001', '40P01', '55P03', '57014', '53300', '57P03'])('is what failed with %s', (state) => {
    expect(isRepeatable(coded(state))).toBe(true);
  });

  test('is a decision on stale facts, and never a COMMIT of unknown outcome', () => {
    expect(isRepeatable(new StaleFacts())).toBe(true);
    expect(isRepeatable(new CommitOutcomeUnknown(coded('ECONNRESET')))).toBe(false);
  });
});

describe('an outage', () => {
  test.each(['53000', '53100', '53200', '53400', '58030'])(
    'is what PostgreSQL could not do for want of disk or memory, which asking again at once would not mend: %s',
    (state) => {
      expect(isOutage(coded(state, 'could not extend file: No space left on device'))).toBe(true);
      expect(isRepeatable(coded(state))).toBe(false);
    },
  );

  test.each([coded('53300'), coded('57P03'), coded('55P03'), coded('ECONNREFUSED'), new StaleFacts()])(
    'is what may be run again, once it was often enough: %s',
    (error) => {
      expect(isOutage(error)).toBe(true);
    },
  );

  test.each([coded('23505'), coded('42P01'), coded('25006'), coded('58P01'), new TypeError('x'), null])(
    'is no fault of a statement or of ours: %s',
    (error) => {
      expect(isOutage(error)).toBe(false);
    },
  );
});

describe('the constraint that was violated', () => {
  test('is known by its name', () => {
    expect(violatedConstraint(coded('23505', 'duplicate', { constraint: 'idempotency_keys_pkey' }))).toBe(
      'idempotency_keys_pkey',
    );
    expect(violatedConstraint(coded('23503', 'missing', { constraint: 'movements_account' }))).toBe(
      'movements_account',
    );
  });

  test.each([
    ['23505', 'duplicate key value violates unique constraint "idempotency_keys_pkey_102040"', 'idempotency_keys_pkey'],
    [
      '23503',
      'insert or update on table "movements_102072" violates foreign key constraint "movements_cashbox_fkey_102072"',
      'movements_cashbox_fkey',
    ],
    ['23505', 'doppelter Schlüsselwert verletzt Unique-Constraint „members_pkey_102041“', 'members_pkey'],
  ])('is known from what another machine of a sharded database says: %s', (state, message, name) => {
    expect(violatedConstraint(coded(state, message))).toBe(name);
  });

  test('is known where its table is a shard on this machine', () => {
    const local = coded('23505', 'duplicate', { constraint: 'categories_name_in_tracker_102008' });
    expect(violatedConstraint(local)).toBe('categories_name_in_tracker');
  });

  test('is none where the error is another one', () => {
    expect(violatedConstraint(coded('40001', 'failed', { constraint: 'x' }))).toBeUndefined();
    expect(violatedConstraint(coded('23502'))).toBeUndefined();
    expect(violatedConstraint(new Error('x'))).toBeUndefined();
  });
});

describe('a column without the value that it must have', () => {
  test('is known by its name, also where only the message of another machine tells it', () => {
    expect(violatesNotNull(coded('23502', 'null value', { column: 'cashbox_id' }), 'cashbox_id')).toBe(true);
    expect(violatesNotNull(coded('23502', 'null value', { column: 'id' }), 'cashbox_id')).toBe(false);
    const told = coded('23502', 'null value in column "cashbox_id" of relation "movements_102072" violates not-null');
    expect(violatesNotNull(told, 'cashbox_id')).toBe(true);
    expect(violatesNotNull(told, 'movements')).toBe(false);
    expect(violatesNotNull(coded('23505', 'duplicate "cashbox_id"'), 'cashbox_id')).toBe(false);
  });
});

const url = 'postgres://cent:S3cret@db.example.org:5433/books';
const told = (failure: unknown, databaseUrl = url) =>
  (explainRefusal({ name: 'DATABASE_URL', url: databaseUrl }, failure) as Error).message;
const refusal = (code: string, message: string) => new DatabaseAway(Object.assign(new Error(message), { code }));

describe('why the PostgreSQL of DATABASE_URL cannot be used', () => {
  test.each([
    ['28P01', 'password authentication failed for user "cent"', 'Correct user and password in DATABASE_URL.'],
    ['28000', 'role "cent" does not exist', 'Correct the user in DATABASE_URL, or let it in'],
    ['3D000', 'database "books" does not exist', 'Create it ("create database books owner cent")'],
    ['53300', 'sorry, too many clients already', 'raise its max_connections'],
    ['57P03', 'the database system is starting up', 'start again in a moment'],
    ['42501', 'permission denied for schema public', 'alter database books owner to cent'],
    ['42501', 'permission denied for database books', 'alter database books owner to cent'],
    ['42501', 'permission denied for schema app', 'belongs to another user: name that one in DATABASE_OWNER_URL'],
    ['42501', 'must be owner of table movements', 'reassign owned by OTHER to cent" in books'],
    ['XX000', 'something new', 'Correct DATABASE_URL'],
  ])('%s is told in its own words, with the address and the remedy', (code, message, remedy) => {
    const text = told(refusal(code, message));
    expect(text).toContain(`The PostgreSQL of DATABASE_URL at db.example.org:5433 refused: ${message}. `);
    expect(text).toContain(remedy);
    expect(text).not.toContain('S3cret');
  });

  test.each([
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', undefined],
    ['password authentication failed for user "cent"', '28P01'],
  ])('a missing password is named: %s', (message, code) => {
    const failure = new DatabaseAway(Object.assign(new Error(message), code === undefined ? {} : { code }));
    expect(told(failure, 'postgres://cent@127.0.0.1:5433/books')).toBe(
      'DATABASE_URL names user cent without a password, and the PostgreSQL at 127.0.0.1:5433 asks for one. ' +
        'Put it into DATABASE_URL.',
    );
  });

  test('nobody there: Start it, correct DATABASE_URL, or unset it', () => {
    expect(told(refusal('ECONNREFUSED', 'connect ECONNREFUSED'))).toBe(
      'The PostgreSQL of DATABASE_URL at db.example.org:5433 does not answer (ECONNREFUSED). Start it, correct ' +
        'DATABASE_URL, or unset it to use the embedded one.',
    );
  });

  test.each(['Connection terminated unexpectedly', 'timeout expired'])('something else there: %s', (message) => {
    expect(told(new DatabaseAway(new Error(message)))).toContain(
      `What is at db.example.org:5433 does not answer as a PostgreSQL does (${message}). Correct DATABASE_URL`,
    );
  });

  test('names the variable that holds the address', () => {
    const failure = refusal('ECONNREFUSED', 'connect ECONNREFUSED');
    expect((explainRefusal({ name: 'DATABASE_OWNER_URL', url }, failure) as Error).message).toBe(
      'The PostgreSQL of DATABASE_OWNER_URL at db.example.org:5433 does not answer (ECONNREFUSED). Start it, correct ' +
        'DATABASE_OWNER_URL, or unset it to use the embedded one.',
    );
  });

  test('no TLS where DATABASE_URL asks for it', () => {
    const failure = new DatabaseAway(new Error('The server does not support SSL connections'));
    expect(told(failure)).toContain('take sslmode out of DATABASE_URL');
  });

  test('a right that a migration lacks is told after which migration it was', () => {
    const cause = Object.assign(new Error('permission denied for database books'), { code: '42501' });
    const failure = new Error('Migration 0001_a.sql failed: permission denied for database books.', { cause });
    expect(told(failure)).toBe(
      'Migration 0001_a.sql failed: permission denied for database books. Let an administrator run "alter database ' +
        'books owner to cent", then start again.',
    );
  });

  test('what has nothing to do with the connection is left as it was', () => {
    const failure = new Error('Migration 0001_a.sql was changed after it was applied.');
    expect(explainRefusal({ name: 'DATABASE_URL', url }, failure)).toBe(failure);
    const syntax = Object.assign(new Error('syntax error'), { code: '42601' });
    const broken = new Error('Migration 0001_a.sql failed: syntax error.', { cause: syntax });
    expect(explainRefusal({ name: 'DATABASE_URL', url }, broken)).toBe(broken);
  });
});
