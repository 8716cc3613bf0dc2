import { setTimeout as delay } from 'node:timers/promises';
import { FinancialClient } from '@centavo/sdk';
import { callsTo } from '../../acceptance/support/call-api.js';
import type { Kind } from './effects.js';
import { insist, isSuccess } from './insist.js';
import { operations } from './intents.js';
import { newTally } from './tally.js';
import type { TenantWithBooks } from './tenants-with-books.js';

/** What customers went through so far. */
export interface Experience {
  readonly done: Record<'sdkCalls' | 'sdkRetries' | 'rawCalls', number>;
  readonly wrong: Record<'sdkErrors' | 'rawResets' | 'rawErrors', number>;
  /** The ids that were told, by their markers. */
  readonly told: ReadonlyMap<Kind, Map<string, string>>;
}

/** Customers who ask on and on, until they are told to stop. */
export interface SteadyLoad {
  readonly experience: Experience;
  /** Resolves once everybody has their last answer. */
  stop(): Promise<void>;
}

const customersOfAKind = 16;
// Each begins anew so often, or as soon as it has its answers: with as many customers, of whom one half asks twice, 240 requests
// a second. A server that is about to leave is told to half a second before, so nobody is idle for so long.
const turnMs = 200;

/** Lets customers of two kinds ask at `origin`: by the SDK, and by bare HTTP with connections that are kept alive. */
export function beginSteadyLoad(origin: string, tenants: readonly TenantWithBooks[]): SteadyLoad {
  const experience: Experience = {
    done: newTally('sdkCalls', 'sdkRetries', 'rawCalls'),
    wrong: newTally('sdkErrors', 'rawResets', 'rawErrors'),
    told: new Map<Kind, Map<string, string>>([
      ['an expense', new Map()],
      ['a transfer', new Map()],
    ]),
  };
  let isOver = false;
  const goOn = async (name: string, act: (marker: string) => Promise<void>) => {
    for (let number = 1; !isOver; number += 1) {
      const begunAtMs = performance.now();
      await act(`${name}-${number}`);
      await delay(Math.max(0, turnMs - (performance.now() - begunAtMs)));
    }
  };
  const customers = tenants.flatMap((tenant, number) =>
    Array.from({ length: customersOfAKind / tenants.length }, (_, customer) => [
      goOn(`sdk-${number}-${customer}`, (marker) => askBySdk(origin, { tenant, marker, experience })),
      goOn(`raw-${number}-${customer}`, (marker) => askByHttp(origin, { tenant, marker, experience })),
    ]).flat(),
  );
  return {
    experience,
    async stop() {
      isOver = true;
      await Promise.all(customers);
    },
  };
}

interface Asking {
  readonly tenant: TenantWithBooks;
  readonly marker: string;
  readonly experience: Experience;
}

/** Spends, and looks at the balances; the SDK may try again, and its user sees an error or none. */
async function askBySdk(origin: string, { tenant, marker, experience }: Asking): Promise<void> {
  const { done, wrong, told } = experience;
  const { Authorization = '', 'X-Service-Tracker-Id': trackerId = '' } = tenant.headers;
  const countRetry = () => {
    done.sdkRetries += 1;
  };
  const client = new FinancialClient({
    baseUrl: origin,
    token: Authorization.replace('Bearer ', ''),
    hooks: { onRetry: countRetry },
  }).forTracker(trackerId);
  const expense = { type: 'expense', amountDecimal: '1.00', accountId: tenant.books.accountId } as const;
  done.sdkCalls += 2;
  try {
    const { id } = await client.movements.create({ ...expense, description: marker }, { idempotencyKey: marker });
    told.get('an expense')?.set(marker, id);
    await client.accounts.balances();
  } catch {
    wrong.sdkErrors += 1;
  }
}

/** Moves money by a request without a second try; only to learn what became of it, it is sent again. */
async function askByHttp(origin: string, { tenant, marker, experience }: Asking): Promise<void> {
  const { done, wrong, told } = experience;
  const { methodAndPath, body, headers, idOf } = await operations['a transfer'](tenant.books, marker);
  const send = () => callsTo(origin, tenant.headers)(methodAndPath, { body, headers });
  done.rawCalls += 1;
  const first = await send().catch(() => undefined);
  if (first === undefined) wrong.rawResets += 1;
  else if (!isSuccess(first)) wrong.rawErrors += 1;
  const { data } = first !== undefined && isSuccess(first) ? first : await insist(methodAndPath, send);
  told.get('a transfer')?.set(marker, idOf(data));
}
