import { setTimeout as delay } from 'node:timers/promises';
import { FinancialClient } from '@centavo/sdk';
import { callsTo } from '../../acceptance/support/call-api.js';
import type { Kind } from './effects.js';
import { operations } from './prepared-writes.js';
import { isSuccess, retryUntilFinal } from './retry-until-final.js';
import { newTally } from './tally.js';
import type { TenantWithAccounts } from './tenants-with-accounts.js';

/** The results of the clients so far. */
export interface LoadResults {
  readonly done: Record<'sdkCalls' | 'sdkRetries' | 'rawCalls', number>;
  readonly errors: Record<'sdkErrors' | 'rawResets' | 'rawErrors', number>;
  /** The ids in the responses, by kind of write and by marker. */
  readonly acknowledged: ReadonlyMap<Kind, Map<string, string>>;
}

/** Clients that send requests until they are stopped. */
export interface SteadyLoad {
  readonly results: LoadResults;
  /** Resolves after the last response of all clients. */
  stop(): Promise<void>;
}

const clientsOfEachKind = 16;
// Each client repeats its requests at this interval, or later if the responses take longer. This makes 240 requests a second: each of
// the 32 clients repeats five times a second, and half of them send two requests each time. A stopping server closes idle connections
// after half a second, so no client may be idle for that long.
const intervalMs = 200;

/** Starts clients of two kinds: with the SDK, and with plain HTTP over kept-alive connections. */
export function beginSteadyLoad(origin: string, tenants: readonly TenantWithAccounts[]): SteadyLoad {
  const results: LoadResults = {
    done: newTally('sdkCalls', 'sdkRetries', 'rawCalls'),
    errors: newTally('sdkErrors', 'rawResets', 'rawErrors'),
    acknowledged: new Map<Kind, Map<string, string>>([
      ['an expense', new Map()],
      ['a transfer', new Map()],
    ]),
  };
  let isOver = false;
  const repeat = async (name: string, act: (marker: string) => Promise<void>) => {
    for (let number = 1; !isOver; number += 1) {
      const startedAtMs = performance.now();
      await act(`${name}-${number}`);
      await delay(Math.max(0, intervalMs - (performance.now() - startedAtMs)));
    }
  };
  const clients = tenants.flatMap((tenant, number) =>
    Array.from({ length: clientsOfEachKind / tenants.length }, (_, client) => [
      repeat(`sdk-${number}-${client}`, (marker) => writeBySdk(origin, { tenant, marker, results })),
      repeat(`raw-${number}-${client}`, (marker) => writeByHttp(origin, { tenant, marker, results })),
    ]).flat(),
  );
  return {
    results,
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

interface LoadRequest {
  readonly tenant: TenantWithAccounts;
  readonly marker: string;
  readonly results: LoadResults;
}

/** Records an expense and reads the balances with the SDK, which may retry. Counts the retries and the errors. */
async function writeBySdk(origin: string, { tenant, marker, results }: LoadRequest): Promise<void> {
  const { done, errors, acknowledged } = results;
  const { Authorization = '', 'X-Service-Tracker-Id': trackerId = '' } = tenant.headers;
  const countRetry = () => {
    done.sdkRetries += 1;
  };
  const client = new FinancialClient({
    baseUrl: origin,
    token: Authorization.replace('Bearer ', ''),
    hooks: { onRetry: countRetry },
  }).forTracker(trackerId);
  const expense = { type: 'expense', amountDecimal: '1.00', accountId: tenant.accounts.accountId } as const;
  done.sdkCalls += 2;
  try {
    const { id } = await client.movements.create({ ...expense, description: marker }, { idempotencyKey: marker });
    acknowledged.get('an expense')?.set(marker, id);
    await client.accounts.balances();
  } catch {
    errors.sdkErrors += 1;
  }
}

/** Records a transfer with plain HTTP. If the first attempt fails, repeats the request until the result is final. */
async function writeByHttp(origin: string, { tenant, marker, results }: LoadRequest): Promise<void> {
  const { done, errors, acknowledged } = results;
  const { methodAndPath, body, headers, idOf } = await operations['a transfer'](tenant.accounts, marker);
  const send = () => callsTo(origin, tenant.headers)(methodAndPath, { body, headers });
  done.rawCalls += 1;
  const first = await send().catch(() => undefined);
  if (first === undefined) errors.rawResets += 1;
  else if (!isSuccess(first)) errors.rawErrors += 1;
  const { data } = first !== undefined && isSuccess(first) ? first : await retryUntilFinal(methodAndPath, send);
  acknowledged.get('a transfer')?.set(marker, idOf(data));
}
