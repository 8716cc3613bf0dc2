import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let accounts: readonly [string, string];

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
  const tracker = await server.newTracker(user);
  const other = await server.call('createAccount', { token: user.token, body: { name: 'Other', type: 'cash' } });
  accounts = [tracker.accountId, other.data.id];
});

afterAll(() => server.close());

async function transfer([fromAccountId, toAccountId]: readonly [string, string] = accounts) {
  const { data, headers } = await server.call('createTransfer', {
    token: user.token,
    body: { amountDecimal: '4.00', fromAccountId, toAccountId },
  });
  return { id: data.groupId, etag: headers.get('etag') ?? '', data };
}

function voidIt(id: string, etag: string) {
  return server.call('voidTransfer', { token: user.token, params: { groupId: id }, ifMatch: etag });
}

async function balances(): Promise<(string | undefined)[]> {
  const { data } = await server.call('listBalances', { token: user.token });
  return accounts.map((id) => data.find(({ accountId }) => accountId === id)?.balanceDecimal);
}

describe('POST /transfers/{groupId}/void', () => {
  it('voids both legs at the same time and restores both balances', async () => {
    const before = await balances();
    const made = await transfer();
    const answer = await voidIt(made.id, made.etag);
    expect(answer.status).toBe(200);
    const { voidedAt, movements } = answer.data;
    expect(movements.map((leg) => [leg.voidedAt, leg.version])).toEqual([
      [voidedAt, 2],
      [voidedAt, 2],
    ]);
    expect(voidedAt).not.toBeNull();
    expect(await balances()).toEqual(before);
    const read = await server.call('getTransfer', { token: user.token, params: { groupId: made.id } });
    expect(read.data).toEqual(answer.data);
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
  });

  it('checks, in this order, that the transfer exists, that its version is current and that it is not voided yet', async () => {
    const made = await transfer();
    expect((await voidIt(randomUUID(), made.etag)).status).toBe(404);
    const { data, headers } = await voidIt(made.id, made.etag);
    const current = headers.get('etag') ?? '';
    const stale = await voidIt(made.id, made.etag);
    expect(stale.error).toMatchObject({ code: 'VERSION_CONFLICT', details: { currentEtag: current } });
    const again = await voidIt(made.id, current);
    expect(again.error?.details).toEqual({ reason: 'voided', voidedAt: data.voidedAt });
  });

  it('is the only way to void a leg: POST /movements/{movementId}/void returns the reason transfer_leg', async () => {
    const made = await transfer();
    const leg = made.data.movements[0];
    const voidLeg = async () => {
      const { headers } = await server.call('getMovement', { token: user.token, params: { movementId: leg.id } });
      return server.call('voidMovement', {
        token: user.token,
        params: { movementId: leg.id },
        ifMatch: headers.get('etag') ?? '',
      });
    };
    expect((await voidLeg()).error?.details).toEqual({ reason: 'transfer_leg', transferGroupId: made.data.groupId });
    await voidIt(made.id, made.etag);
    expect((await voidLeg()).error?.details.reason).toBe('transfer_leg');
  });

  it('voids each of two opposite transfers once if three concurrent requests try to void it, and restores the balances', async () => {
    const before = await balances();
    const there = await transfer();
    const back = await transfer([accounts[1], accounts[0]]);
    const answers = await Promise.all([there, back, there, back, there, back].map(({ id, etag }) => voidIt(id, etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    expect(await balances()).toEqual(before);
  });

  it('needs no GET of the transfer: POST /transfers returns the ETag that GET /transfers/{groupId} returns', async () => {
    const made = await transfer();
    const read = await server.call('getTransfer', { token: user.token, params: { groupId: made.id } });
    expect(read.headers.get('etag')).toBe(made.etag);
  });
});
