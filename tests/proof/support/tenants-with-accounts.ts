import { callsTo } from '../../acceptance/support/call-api.js';
import { type PreparedAccounts, prepareAccounts } from './prepared-writes.js';
import { createTenant } from './tenants.js';

/** The records of one tenant (a user with a tracker), and the headers of its requests to any server. */
export interface TenantWithAccounts {
  readonly headers: Readonly<Record<string, string>>;
  readonly accounts: PreparedAccounts;
}

/** Creates several tenants with accounts. With only one tenant, all writes would wait for the same two balances. */
export async function createTenantsWithAccounts(
  origin: string,
  count: number,
): Promise<readonly [TenantWithAccounts, ...TenantWithAccounts[]]> {
  const open = async (): Promise<TenantWithAccounts> => {
    const { asUser, asProgram } = await createTenant(origin);
    const accounts = await prepareAccounts(callsTo(origin, asUser));
    return { headers: asProgram, accounts: { ...accounts, call: callsTo(origin, asProgram) } };
  };
  const tenants: [TenantWithAccounts, ...TenantWithAccounts[]] = [await open()];
  while (tenants.length < count) tenants.push(await open());
  return tenants;
}
