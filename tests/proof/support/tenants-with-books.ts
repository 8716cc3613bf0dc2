import { callsTo } from '../../acceptance/support/call-api.js';
import { type Books, openBooks } from './prepared-writes.js';
import { createTenant } from './tenants.js';

/** The records of one tenant (a user with a tracker), and the headers of its requests to any server. */
export interface TenantWithBooks {
  readonly headers: Readonly<Record<string, string>>;
  readonly books: Books;
}

/** Creates several tenants with accounts. With only one tenant, all writes would wait for the same two balances. */
export async function openTenantsWithBooks(
  origin: string,
  count: number,
): Promise<readonly [TenantWithBooks, ...TenantWithBooks[]]> {
  const open = async (): Promise<TenantWithBooks> => {
    const { asUser, asProgram } = await createTenant(origin);
    const books = await openBooks(callsTo(origin, asUser));
    return { headers: asProgram, books: { ...books, call: callsTo(origin, asProgram) } };
  };
  const tenants: [TenantWithBooks, ...TenantWithBooks[]] = [await open()];
  while (tenants.length < count) tenants.push(await open());
  return tenants;
}
