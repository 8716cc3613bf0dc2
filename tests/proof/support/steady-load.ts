import { setTimeout as delay } from 'node:timers/promises';
import { FinancialClient } from '@centavo/sdk';
import { callsTo } from '../../acceptance/support/call-api.js';
import type { Kind } from './effects.js';
import { operations } from './intents.js';
import { insist, isSuccess } from './retry-until-final.js';
import { newTally } from './tally.js';
import type { TenantWithBooks } from './tenants-with-books.js';

/** The results of the customers so far. */
export interface Experience {
  readonly done: Record<'sdkCalls' | 'sdkRetries' | 'rawCalls', number>;
  readonly wrong: Record<'sdkErrors' | 'rawResets' | 'rawErrors', number>;
  /** The ids in the answers, by marker. */
  readonly told: ReadonlyMap<Kind, Map<string, string>>;
}

/** Customers that send requests until they are stopped. */
export interface SteadyLoad {
  readonly experience: Experience;
  /** Resolves after the last answer of all customers. */
  stop(): Promise<void>;
}

const customersOfAKind = 16;
// Each customer starts again after this time, or later when it has its answers: together 240 requests a second, because
// half of them send two. A stopping server closes idle connections after half a second, so no customer may be idle for
// that long.
const turnMs = 200;

/** Starts customers of two kinds: by the SDK, and by plain HTTP with kept-alive connections. */
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

/** Records an expense and reads the balances with the SDK, which may retry. Counts its errors. */
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

/** Records a transfer by one plain request. It is repeated only to determine its result. */
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
