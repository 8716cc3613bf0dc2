import type { Sandbox } from '../../../acceptance/support/sandbox.js';
import { type Kind, kinds } from '../effects.js';
import { registerUser } from '../tenants.js';
import { createTenantsWithAccounts } from '../tenants-with-accounts.js';
import { hostPostgres } from './host-postgres.js';
import type { FaultTarget } from './run-under-fault.js';
import { startDatabaseProxy } from './start-database-proxy.js';

const poolMax = 5;
const tenantCount = 4;

/** Starts a PostgreSQL on `dataDir`, a server that reaches it through a proxy, and some tenants. */
export async function startFaultTarget(sandbox: Sandbox, dataDir: string): Promise<FaultTarget> {
  const postgres = await hostPostgres(sandbox, dataDir);
  const proxy = await startDatabaseProxy(postgres.connectionString());
  const { origin } = await sandbox.startServer({
    env: { DATABASE_URL: proxy.connectionString, DATABASE_POOL_MAX: String(poolMax), LOG_LEVEL: 'fatal' },
  });
  const tenants = await createTenantsWithAccounts(origin, tenantCount);
  const accountIds = tenants.flatMap(({ accounts }) => [accounts.accountId, accounts.otherAccountId]);
  const { email, password } = await registerUser(origin);
  return {
    environment: { postgres, proxy, accountIds, newFolder: () => sandbox.newDataDir() },
    origin,
    poolMax,
    tenants,
    login: { email, password },
    acknowledged: new Map<Kind, Map<string, string>>(kinds.map((kind) => [kind, new Map<string, string>()])),
  };
}
