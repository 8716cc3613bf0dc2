import { callsTo } from '../../../acceptance/support/call-api.js';
import { type Kind, kinds } from '../effects.js';
import { operations } from '../intents.js';
import { isSuccess } from '../retry-until-final.js';
import { newTally } from '../tally.js';
import type { TenantWithBooks } from '../tenants-with-books.js';
import { countIdleInTransaction, useWholePool } from './check-pool.js';
import type { Fault, FaultPlace } from './fault.js';
import { acknowledge, askAllAtOnce, type Heard, nothingHeard, type Wanted } from './send-during-fault.js';

/** The server and its tenants during the fault. */
export interface Sufferers {
  readonly place: FaultPlace;
  /** The pool size of the server. */
  readonly origin: string;
  readonly poolMax: number;
  readonly tenants: readonly [TenantWithBooks, ...TenantWithBooks[]];
  readonly login: { readonly email: string; readonly password: string };
  /** The ids of the markers, filled in by answers. */
  readonly told: ReadonlyMap<Kind, Map<string, string>>;
}

export interface Suffered {
  readonly counts: Readonly<Record<string, number>>;
  readonly wrong: Readonly<Record<string, number>>;
}

interface NamedWrite extends Wanted {
  readonly kind: Kind;
  readonly marker: string;
}

/** The most attempts of a write after the fault before it must succeed. */
const attemptsMax = 5;

/**
 * Sends all kinds of requests during the fault. Afterwards checks that the server works as before: writes succeed, all
 * connections of the pool are available, none is idle in a transaction, and each unacknowledged write is done once when
 * it is repeated.
 * @param options.round begins the markers
 * @param options.lastsMs the duration of the requests; 0 sends them once
 * @returns the counts, or the reason why this machine cannot inject the fault
 */
export async function sufferFault(
  fault: Fault,
  { round, lastsMs, ...sufferers }: Sufferers & { readonly round: string; readonly lastsMs: number },
): Promise<Suffered | string> {
  const { place, origin, login } = sufferers;
  const wanted = await wantOneOfEach(round, sufferers);
  const heard = nothingHeard();
  try {
    try {
      const reason = await fault.begin(place);
      if (reason !== undefined) return reason;
      const endsAt = performance.now() + lastsMs;
      do await askAllAtOnce(origin, { wanted, login, heard });
      while (performance.now() < endsAt);
    } finally {
      await fault.end(place);
    }
    return await lookAfterwards(round, { ...sufferers, wanted, heard });
  } finally {
    await fault.tidyUp?.(place);
  }
}

/** Returns one write of each kind for each tenant. Their prerequisites are created before the fault. */
async function wantOneOfEach(round: string, { tenants, origin }: Sufferers): Promise<NamedWrite[]> {
  const wanted: NamedWrite[] = [];
  for (const [number, tenant] of tenants.entries()) {
    const books = { ...tenant.books, call: callsTo(origin, tenant.headers) };
    for (const kind of kinds) {
      const marker = `${round}, tenant ${number}, ${kind}`.replaceAll(/\W+/g, '-');
      wanted.push({ kind, marker, tenant, intent: await operations[kind](books, marker) });
    }
  }
  return wanted;
}

async function lookAfterwards(
  round: string,
  { wanted, heard, ...sufferers }: Sufferers & { readonly wanted: readonly NamedWrite[]; readonly heard: Heard },
): Promise<Suffered> {
  const { place, origin, poolMax, tenants, told } = sufferers;
  const [tenant] = tenants;
  const wrong = newTally('lateRecoveries', 'lostPoolSlots', 'idleInTransaction', 'refusedAfterwards');
  const marker = `${round}-afterwards`;
  const intent = await operations['an expense'](tenant.books, marker);
  const attemptsAfterwards = await sendUntilDone({ kind: 'an expense', marker, tenant, intent }, sufferers, heard);
  const counts = { ...heard.counts, attemptsAfterwards };
  if (attemptsAfterwards > attemptsMax) {
    wrong.lateRecoveries += 1;
    return { counts, wrong: { ...heard.wrong, ...wrong } };
  }

  const connectionString = place.postgres.connectionString();
  const pool = await useWholePool(connectionString, { origin, tenant, poolMax, marker: `${round}-pool` });
  for (const [key, id] of pool.ids) told.get('an expense')?.set(key, id);
  if (!pool.waitedTogether) wrong.lostPoolSlots += 1;
  wrong.refusedAfterwards += poolMax - pool.ids.size;
  wrong.idleInTransaction += await countIdleInTransaction(connectionString);
  for (const write of wanted) {
    if ((await sendUntilDone(write, sufferers, heard)) > attemptsMax) wrong.refusedAfterwards += 1;
  }
  return { counts, wrong: { ...heard.wrong, ...wrong } };
}

/** @returns the number of attempts; more than the maximum if it never succeeded */
async function sendUntilDone(
  { intent, tenant, kind, marker }: NamedWrite,
  { origin, told }: Sufferers,
  heard: Heard,
): Promise<number> {
  const { methodAndPath, body } = intent;
  const headers = { ...tenant.headers, ...intent.headers };
  for (let attempts = 1; attempts <= attemptsMax; attempts += 1) {
    const answer = await callsTo(origin)(methodAndPath, { body, headers }).catch(() => undefined);
    if (answer === undefined || !isSuccess(answer)) continue;
    told.get(kind)?.set(marker, acknowledge(heard, intent, answer));
    return attempts;
  }
  return attemptsMax + 1;
}
