import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/call-api.js';
import { countMovements, createHousehold, type Household, showBalances } from './support/household.js';
import { openSandbox, type Server } from './support/sandbox.js';

const sandbox = openSandbox();
let servers: [Server, Server];

// Two server processes, so that the database serializes the requests. One process could serialize them in its memory.
beforeAll(async () => {
  const dataDir = sandbox.newDataDir();
  servers = [await sandbox.startServer({ dataDir }), await sandbox.startServer({ dataDir })];
});

describe('requests that reach two servers of one database at the same moment', () => {
  // @proves contract 6: Transaction
  it('record one movement if all 100 have the same Idempotency-Key: one gets 201, and 99 get replays', async () => {
    const { household, accountId } = await createHouseholdWithAccount();
    const answers = await together(household, 100, () => ({
      path: 'movements',
      key: 'one-and-the-same',
      body: { type: 'expense', amountDecimal: '12.50', accountId },
    }));

    expect(tally(answers)).toEqual({ 200: 99, 201: 1 });
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const replays = answers.filter(({ meta }) => meta.idempotentReplay === true);
    expect(replays).toHaveLength(99);
    expect(replays.every(({ status }) => status === 200)).toBe(true);
    expect(await countMovements(household.callsTo(servers[0].origin))).toBe(1);
    expect(await showBalances(household.centavo)).toEqual({ Checking: '-12.50' });
  });

  it('record one of two bodies that share an Idempotency-Key, and get 409 for the other body', async () => {
    const { household, accountId } = await createHouseholdWithAccount();
    const answers = await together(household, 40, (position) => ({
      path: 'movements',
      key: 'for-two-bodies',
      // Both bodies go to both servers.
      body: { type: 'expense', amountDecimal: position % 4 < 2 ? '1.00' : '2.00', accountId },
    }));

    expect(tally(answers)).toEqual({ 200: 19, 201: 1, 409: 20 });
    const refused = answers.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ error }) => error.code))).toEqual(new Set(['IDEMPOTENCY_KEY_REUSED']));
    const winner = answers.find(({ status }) => status === 201);
    expect(await countMovements(household.callsTo(servers[1].origin))).toBe(1);
    expect(await showBalances(household.centavo)).toEqual({ Checking: `-${winner?.data.amountDecimal}` });
  });

  it('keep the sum of two balances constant during 40 transfers in both directions', async () => {
    const { household, accountId } = await createHouseholdWithAccount('500.00');
    const { id: savingsId } = await household.centavo.show('accounts create Savings --opening-balance 500.00');
    const answers = await together(household, 40, (position) => {
      const [fromAccountId, toAccountId] = position % 4 < 2 ? [accountId, savingsId] : [savingsId, accountId];
      return {
        path: 'transfers',
        key: randomUUID(),
        body: { amountDecimal: position % 4 < 2 ? '3.00' : '1.00', fromAccountId, toAccountId },
      };
    });

    expect(tally(answers)).toEqual({ 201: 40 });
    expect(await countMovements(household.callsTo(servers[0].origin))).toBe(80);
    expect(await showBalances(household.centavo)).toEqual({ Checking: '460.00', Savings: '540.00' });
  });

  it('change a movement once when all of them correct the same version', async () => {
    const { household, accountId } = await createHouseholdWithAccount();
    const call = household.callsTo(servers[0].origin);
    const { data: movement, headers } = await call('POST /v1/financial/movements', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: { type: 'income', amountDecimal: '1.00', accountId },
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, position) =>
        household.callsTo(serverOf(position).origin)(`PATCH /v1/financial/movements/${movement.id}`, {
          headers: { 'Idempotency-Key': randomUUID(), 'If-Match': headers.get('ETag') ?? '' },
          body: { amountDecimal: `${position + 2}.00` },
        }),
      ),
    );

    expect(tally(answers)).toEqual({ 200: 1, 409: 19 });
    const winner = answers.find(({ status }) => status === 200);
    expect(winner?.data.version).toBe(2);
    expect(await showBalances(household.centavo)).toEqual({ Checking: winner?.data.amountDecimal });
  });

  it('record each row once when two terminals import one statement at the same time', async () => {
    const { household } = await createHouseholdWithAccount();
    const rows = Array.from({ length: 60 }, (_, day) => `2026-03-${String((day % 28) + 1).padStart(2, '0')},-1.25,Tea`);
    const file = await sandbox.writeFile('tea.csv', ['Date,Amount,Description', ...rows, ''].join('\n'));
    const terminals = await Promise.all(
      servers.map(({ baseUrl }) => sandbox.newTerminal({ CENTAVO_BASE_URL: baseUrl, CENTAVO_TOKEN: household.token })),
    );
    const summaries = await Promise.all(
      terminals.map((centavo) => centavo.show(`import "${file}" --account Checking --yes`)),
    );

    const sum = (field: 'created' | 'replayed' | 'failed') =>
      summaries.reduce((total, summary) => total + summary[field], 0);
    expect({ created: sum('created'), replayed: sum('replayed'), failed: sum('failed') }).toEqual({
      created: 60,
      replayed: 60,
      failed: 0,
    });
    expect(await showBalances(household.centavo)).toEqual({ Checking: '-75.00' });
  });
});

async function createHouseholdWithAccount(openingBalance = '0.00') {
  const household = await createHousehold(sandbox, { origin: servers[0].origin, currencyCode: 'EUR' });
  const account = await household.centavo.show(`accounts create Checking --opening-balance ${openingBalance}`);
  return { household, accountId: account.id as string };
}

function serverOf(position: number): Server {
  return servers[position % 2 === 0 ? 0 : 1];
}

/** Sends `count` concurrent POST requests, alternately to the two servers. */
function together(
  household: Household,
  count: number,
  request: (position: number) => { path: string; key: string; body: unknown },
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, position) => {
      const { path, key, body } = request(position);
      const call = household.callsTo(serverOf(position).origin);
      return call(`POST /v1/financial/${path}`, { headers: { 'Idempotency-Key': key }, body });
    }),
  );
}

/** Counts the responses by status. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
