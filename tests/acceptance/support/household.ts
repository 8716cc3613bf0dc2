import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Call, callsTo } from './call-api.js';
import type { Sandbox } from './sandbox.js';
import type { Shown, Terminal } from './terminal.js';

/** A user with a tracker, who is logged in on a terminal and can send requests over HTTP. */
export interface Household {
  readonly email: string;
  readonly password: string;
  readonly centavo: Terminal;
  readonly trackerId: string;
  /** An access token of a session other than the terminal's. */
  readonly token: string;
  /** Returns a function that sends requests as this user in this tracker. `origin` may be any server of the same database. */
  callsTo(origin: string): Call;
}

/** Registers a user over HTTP, logs in on a new terminal, and creates a tracker. */
export async function createHousehold(
  sandbox: Sandbox,
  { origin, currencyCode }: { readonly origin: string; readonly currencyCode: string },
): Promise<Household> {
  const email = `${randomUUID()}@example.org`;
  const password = 'correct horse battery';
  const call = callsTo(origin);
  expect(await call('POST /v1/identity/users', { body: { email, password } })).toMatchObject({ status: 201 });
  const session = await call('POST /v1/identity/sessions', { body: { email, password } });
  const centavo = await sandbox.newTerminal({ CENTAVO_BASE_URL: `${origin}/v1/financial` });
  await centavo.show(`login --email ${email} --password-stdin`, { stdin: `${password}\n` });
  const tracker = await centavo.show(`trackers create Household --currency ${currencyCode} --time-zone Europe/Madrid`);
  await centavo.show('trackers use Household');
  const token: string = session.data.accessToken;
  const headers = { Authorization: `Bearer ${token}`, 'X-Service-Tracker-Id': tracker.id };
  return { email, password, centavo, trackerId: tracker.id, token, callsTo: (root) => callsTo(root, headers) };
}

/** Returns the balances by the name of the account, as `centavo balances` prints them. */
export async function showBalances(centavo: Terminal): Promise<Record<string, string>> {
  const balances: Shown[] = await centavo.show('balances');
  return Object.fromEntries(balances.map(({ accountName, balanceDecimal }) => [accountName, balanceDecimal]));
}

/** Returns the number of movements, as the API counts them. */
export async function countMovements(call: Call): Promise<number> {
  const { meta } = await call('GET /v1/financial/movements?limit=1&includeTotal=true');
  return meta.pagination.total;
}
