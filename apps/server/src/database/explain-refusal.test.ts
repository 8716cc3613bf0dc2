import { describe, expect, test } from 'vitest';
import { explainRefusal } from './explain-refusal.js';
import { DatabaseAway } from './postgres-errors.js';

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
