import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getPostgresOf } from '../../acceptance/support/postgres-of.js';
import { openSandbox } from '../../acceptance/support/sandbox.js';
import { connectAsOwner } from './crash-postgres.js';
import { type Effect, type Findings, findViolations, kinds } from './effects.js';
import { operations } from './prepared-writes.js';
import { createTenantsWithAccounts } from './tenants-with-accounts.js';

// Several proofs (the tests in tests/proof) end with a check of the database by `findViolations`. These tests corrupt the database and run
// this check. `accounts` are the accounts, the category and the budget of one tracker, and the function that sends requests in it.
const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const acknowledged = new Map<Effect, Map<string, string>>();
let owner: pg.Client;

beforeAll(async () => {
  const { origin } = await sandbox.startServer({ dataDir });
  const [{ accounts }] = await createTenantsWithAccounts(origin, 1);
  for (const kind of kinds) {
    const prepared = await operations[kind](accounts, kind);
    const { data } = await accounts.call(prepared.methodAndPath, prepared);
    acknowledge(kind, kind, prepared.idOf(data));
    if (prepared.first !== undefined) acknowledge(prepared.first.effect, prepared.first.marker, prepared.first.id);
  }
  owner = await connectAsOwner((await getPostgresOf(dataDir)).connectionString);
});
afterAll(() => owner.end());

function acknowledge(effect: Effect, marker: string, id: string): void {
  acknowledged.set(effect, (acknowledged.get(effect) ?? new Map()).set(marker, id));
}

const nothing: Findings = {
  lost: 0,
  duplicated: 0,
  withoutTwoLegs: 0,
  withOtherId: 0,
  unrecorded: 0,
  drifted: 0,
  unexplainedCents: 0,
};

/** Returns the statement that copies rows of a table with new ids. */
const copy = (table: string, { where, with: changes = {} }: { where: string; with?: Record<string, string> }) => {
  const fields = Object.entries({ id: 'gen_random_uuid()', ...changes }).map(([name, sql]) => `'${name}', ${sql}`);
  return `insert into app.${table}
    select (jsonb_populate_record(row, jsonb_build_object(${fields.join(', ')}))).* from app.${table} as row where ${where}`;
};
const expense = `description = 'an expense'`;

describe('findViolations', () => {
  it('finds no violation in a consistent database', async () => {
    expect(await findViolations(owner, acknowledged)).toEqual(nothing);
  });

  it.each<[string, string, Partial<Findings>]>([
    ['a movement exists twice', copy('movements', { where: expense }), { duplicated: 1, drifted: 1 }],
    [
      'a movement exists twice, and the balance includes both',
      `${copy('movements', { where: expense })};
       update app.cashboxes set balance = balance - 1 where id = (select cashbox_id from app.movements where ${expense} limit 1)`,
      { duplicated: 1, unexplainedCents: 100 },
    ],
    [
      'a movement exists twice with different descriptions, and the balance includes both',
      `${copy('movements', { where: expense, with: { description: `'lunch'` } })};
       update app.cashboxes set balance = balance - 1 where id = (select cashbox_id from app.movements where ${expense})`,
      { unexplainedCents: 100 },
    ],
    ['a movement is missing', `delete from app.movements where ${expense}`, { lost: 1, drifted: 1 }],
    [
      'a transfer has one leg',
      `delete from app.movements where description = 'a transfer' and type = 'income'`,
      { withoutTwoLegs: 1, drifted: 1 },
    ],
    [
      'a corrected movement exists twice',
      copy('movements', { where: `type = 'income' and kind = 'regular'`, with: { version: '1' } }),
      { duplicated: 1, drifted: 1 },
    ],
    [
      'a correction was made twice',
      `update app.movements set version = 3 where description = 'a correction'`,
      { duplicated: 1 },
    ],
    [
      'a correction was never made',
      `update app.movements set version = 1 where description = 'a correction'`,
      { lost: 1 },
    ],
    ['a category is missing', `delete from app.categories where name = 'a category'`, { lost: 1 }],
    ['a budget exists twice', copy('budgets', { where: `name = 'a budget'` }), { duplicated: 1 }],
    [
      'a budget line exists twice',
      copy('budget_lines', { where: `note = 'a line of a budget'`, with: { type: `'income'` } }),
      { duplicated: 1 },
    ],
    [
      'a record has another id than the response to its write',
      `update app.budgets set id = gen_random_uuid() where name = 'a budget'`,
      { withOtherId: 1 },
    ],
    ['an idempotency key is missing', `delete from app.idempotency_keys where key = 'a budget'`, { unrecorded: 1 }],
    [
      'an audit record is missing',
      ['audit_events', 'events']
        .map(
          (table) => `delete from app.${table} where request_id = (
           select request_id from app.idempotency_keys where key = 'a budget')`,
        )
        .join('; '),
      { unrecorded: 1 },
    ],
    [
      'a balance has changed without a movement',
      `update app.cashboxes set balance = balance + 0.01 where id = (select min(id::text)::uuid from app.cashboxes)`,
      { drifted: 1, unexplainedCents: 1 },
    ],
  ])('reports that %s', async (_, corruption, findings) => {
    await owner.query('begin');
    try {
      await owner.query(corruption);
      expect(await findViolations(owner, acknowledged)).toEqual({ ...nothing, ...findings });
    } finally {
      await owner.query('rollback');
    }
  });
});
