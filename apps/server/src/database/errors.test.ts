import { describe, expect, test } from 'vitest';
import { validationError } from '../api-error.js';
import {
  CommitOutcomeUnknown,
  DatabaseUnavailable,
  explainDatabaseFailure,
  isConnectionFailure,
  isOutage,
  isRetryable,
  StaleRead,
  sqlStateOf,
  violatedConstraint,
  violatesNotNull,
} from './errors.js';

const coded = (code: string, message = 'failed', others: object = {}) =>
  Object.assign(new Error(message), { code, ...others });

describe('sqlStateOf', () => {
  test.each(['23505', '40P01', '57P01', 'XX000', 'P0001', 'F0000', '0A000'])('returns the SQLSTATE %s', (state) => {
    expect(sqlStateOf(coded(state))).toBe(state);
  });

  test.each(['EPIPE', 'EPERM', 'ECONNRESET', 'ERR_X', '2350', '235055'])(
    'returns undefined for the code %s, which is not an SQLSTATE',
    (code) => {
      expect(sqlStateOf(coded(code))).toBeUndefined();
    },
  );

  test.each([null, undefined, 'text', 5, {}, { code: 23_505 }])('returns undefined for %j', (error) => {
    expect(sqlStateOf(error)).toBeUndefined();
  });
});

describe('isConnectionFailure and isRetryable', () => {
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
  ])('return true for a failure of the connection: %s', (error) => {
    expect(isConnectionFailure(error)).toBe(true);
    expect(isRetryable(error)).toBe(true);
  });

  test.each([
    coded('23505', 'Connection terminated'),
    coded('25P02', 'current transaction is aborted'),
    coded('42601'),
    coded('XX000', 'cache lookup failed for relation 102040'),
    new TypeError('x is not a function'),
    validationError([{ path: 'aborted', code: 'UNKNOWN_FIELD', message: 'Leave it out.' }]),
    'Connection terminated',
    null,
  ])('return false for an error that a retry would not fix: %s', (error) => {
    expect(isConnectionFailure(error)).toBe(false);
    expect(isRetryable(error)).toBe(false);
  });
});

describe('isRetryable', () => {
  test.each(['40001', '40P01', '55P03', '57014', '53300', '57P03'])('returns true for the SQLSTATE %s', (state) => {
    expect(isRetryable(coded(state))).toBe(true);
  });

  test('returns true for StaleRead (rows changed after they were read), and false for a COMMIT with an unknown outcome', () => {
    expect(isRetryable(new StaleRead())).toBe(true);
    expect(isRetryable(new CommitOutcomeUnknown(coded('ECONNRESET')))).toBe(false);
  });
});

describe('isOutage', () => {
  test.each(['53000', '53100', '53200', '53400', '58030'])(
    'returns true, and isRetryable returns false, for a lack of resources or an I/O error: %s',
    (state) => {
      expect(isOutage(coded(state, 'could not extend file: No space left on device'))).toBe(true);
      expect(isRetryable(coded(state))).toBe(false);
    },
  );

  test.each([
    ['too_many_connections (53300)', coded('53300')],
    ['cannot_connect_now (57P03)', coded('57P03')],
    ['lock_not_available (55P03)', coded('55P03')],
    ['ECONNREFUSED', coded('ECONNREFUSED')],
    ['StaleRead', new StaleRead()],
  ])('returns true for an error that isRetryable accepts: %s', (_, error) => {
    expect(isOutage(error)).toBe(true);
  });

  test.each([
    ['unique_violation (23505)', coded('23505')],
    ['undefined_table (42P01)', coded('42P01')],
    ['read_only_sql_transaction (25006)', coded('25006')],
    ['undefined_file (58P01)', coded('58P01')],
    ['TypeError', new TypeError('x')],
    ['null', null],
  ])('returns false for an error that a statement or a bug caused: %s', (_, error) => {
    expect(isOutage(error)).toBe(false);
  });
});

describe('violatedConstraint', () => {
  test('returns the constraint that the error names', () => {
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
  ])('returns the constraint in the message of a Citus worker: SQLSTATE %s', (state, message, name) => {
    expect(violatedConstraint(coded(state, message))).toBe(name);
  });

  test('returns the name of the constraint without the shard number that Citus appends to it', () => {
    const local = coded('23505', 'duplicate', { constraint: 'categories_name_in_tracker_102008' });
    expect(violatedConstraint(local)).toBe('categories_name_in_tracker');
  });

  test('returns undefined for an error that is not a violation of a named constraint', () => {
    expect(violatedConstraint(coded('40001', 'failed', { constraint: 'x' }))).toBeUndefined();
    expect(violatedConstraint(coded('23502'))).toBeUndefined();
    expect(violatedConstraint(new Error('x'))).toBeUndefined();
  });
});

describe('violatesNotNull', () => {
  test('returns true only for the column that violates NOT NULL, named in the field `column` or in the message of a Citus worker', () => {
    expect(violatesNotNull(coded('23502', 'null value', { column: 'cashbox_id' }), 'cashbox_id')).toBe(true);
    expect(violatesNotNull(coded('23502', 'null value', { column: 'id' }), 'cashbox_id')).toBe(false);
    const onWorker = coded(
      '23502',
      'null value in column "cashbox_id" of relation "movements_102072" violates not-null',
    );
    expect(violatesNotNull(onWorker, 'cashbox_id')).toBe(true);
    expect(violatesNotNull(onWorker, 'movements')).toBe(false);
    expect(violatesNotNull(coded('23505', 'duplicate "cashbox_id"'), 'cashbox_id')).toBe(false);
  });
});

const url = 'postgres://cent:S3cret@db.example.org:5433/books';
const explain = (failure: unknown, databaseUrl = url) =>
  (explainDatabaseFailure({ name: 'DATABASE_URL', url: databaseUrl }, failure) as Error).message;
const refusal = (code: string, message: string) => new DatabaseUnavailable(Object.assign(new Error(message), { code }));

describe('explainDatabaseFailure', () => {
  test.each([
    ['28P01', 'password authentication failed for user "cent"', 'Correct user and password in DATABASE_URL.'],
    ['28000', 'role "cent" does not exist', 'Correct the user in DATABASE_URL, or allow it in pg_hba.conf'],
    ['3D000', 'database "books" does not exist', 'Create it ("create database books owner cent")'],
    ['53300', 'sorry, too many clients already', 'raise its max_connections'],
    ['57P03', 'the database system is starting up', 'Start Centavo again in a moment'],
    ['42501', 'permission denied for schema public', 'alter database books owner to cent'],
    ['42501', 'permission denied for database books', 'alter database books owner to cent'],
    [
      '42501',
      'permission denied for schema app',
      'belongs to another user. Set DATABASE_OWNER_URL to a URL with the login of that user',
    ],
    ['42501', 'must be owner of table movements', 'reassign owned by OTHER to cent" in books'],
    ['XX000', 'something new', 'Correct DATABASE_URL'],
  ])('returns the message of SQLSTATE %s, the address and the remedy', (code, message, remedy) => {
    const text = explain(refusal(code, message));
    expect(text).toContain(`The PostgreSQL of DATABASE_URL at db.example.org:5433 refused: ${message}. `);
    expect(text).toContain(remedy);
    expect(text).not.toContain('S3cret');
  });

  test.each([
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', undefined],
    ['password authentication failed for user "cent"', '28P01'],
  ])('reports that the URL lacks a password: %s', (message, code) => {
    const failure = new DatabaseUnavailable(Object.assign(new Error(message), code === undefined ? {} : { code }));
    expect(explain(failure, 'postgres://cent@127.0.0.1:5433/books')).toBe(
      'DATABASE_URL has the user cent without a password, and the PostgreSQL at 127.0.0.1:5433 requires one. ' +
        'Add it to DATABASE_URL.',
    );
  });

  test('names the remedies when nothing listens at the address of the database', () => {
    expect(explain(refusal('ECONNREFUSED', 'connect ECONNREFUSED'))).toBe(
      'The PostgreSQL of DATABASE_URL at db.example.org:5433 does not answer (ECONNREFUSED). Start that ' +
        'PostgreSQL, correct DATABASE_URL, or unset DATABASE_URL to use the embedded PostgreSQL.',
    );
  });

  test.each(['Connection terminated unexpectedly', 'timeout expired'])(
    'reports that the server at the address is not PostgreSQL: %s',
    (message) => {
      expect(explain(new DatabaseUnavailable(new Error(message)))).toContain(
        `The server at db.example.org:5433 does not answer like PostgreSQL (${message}). Correct DATABASE_URL`,
      );
    },
  );

  test('names DATABASE_OWNER_URL if the unreachable address comes from it', () => {
    const failure = refusal('ECONNREFUSED', 'connect ECONNREFUSED');
    expect((explainDatabaseFailure({ name: 'DATABASE_OWNER_URL', url }, failure) as Error).message).toBe(
      'The PostgreSQL of DATABASE_OWNER_URL at db.example.org:5433 does not answer (ECONNREFUSED). Start that ' +
        'PostgreSQL, correct DATABASE_OWNER_URL, or unset DATABASE_OWNER_URL to use DATABASE_URL.',
    );
  });

  test('advises removing sslmode when the server offers no TLS', () => {
    const failure = new DatabaseUnavailable(new Error('The server does not support SSL connections'));
    expect(explain(failure)).toContain('remove sslmode from DATABASE_URL');
  });

  test('names the migration for which the user lacks a right, and the remedy', () => {
    const cause = Object.assign(new Error('permission denied for database books'), { code: '42501' });
    const failure = new Error('Migration 0001_a.sql failed: permission denied for database books.', { cause });
    expect(explain(failure)).toBe(
      'Migration 0001_a.sql failed: permission denied for database books. Let an administrator run "alter database ' +
        'books owner to cent", then start Centavo again.',
    );
  });

  test('returns a failure unchanged if it does not concern the connection', () => {
    const failure = new Error('Migration 0001_a.sql was changed after it was applied.');
    expect(explainDatabaseFailure({ name: 'DATABASE_URL', url }, failure)).toBe(failure);
    const syntax = Object.assign(new Error('syntax error'), { code: '42601' });
    const broken = new Error('Migration 0001_a.sql failed: syntax error.', { cause: syntax });
    expect(explainDatabaseFailure({ name: 'DATABASE_URL', url }, broken)).toBe(broken);
  });
});
