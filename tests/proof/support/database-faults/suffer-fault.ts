import { callsTo } from '../../../acceptance/support/call-api.js';
import { type Kind, kinds } from '../effects.js';
import { isSuccess } from '../insist.js';
import { operations } from '../intents.js';
import { newTally } from '../tally.js';
import type { TenantWithBooks } from '../tenants-with-books.js';
import { acknowledge, askAllAtOnce, type Heard, nothingHeard, type Wanted } from './ask-all-at-once.js';
import type { Fault, FaultPlace } from './fault.js';
import { countIdleInTransaction, useWholePool } from './look-at-pool.js';

/** Who asks which server through the fault. */
export interface Sufferers {
  readonly place: FaultPlace;
  /** Of the server. */
  readonly origin: string;
  readonly poolMax: number;
  readonly tenants: readonly [TenantWithBooks, ...TenantWithBooks[]];
  readonly login: { readonly email: string; readonly password: string };
  /** Gets the id of each marker, once it is known. */
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

/** How often a write may be sent after the fault before it must succeed. */
const attemptsMax = 5;

/**
 * Asks all there is while the fault lasts, and looks afterwards whether the server is as good as new: writes succeed, every
 * connection of the pool can be had, none idles in a transaction, and what was not acknowledged is done once when it is
 * sent again.
 * @param options.round begins the markers
 * @param options.lastsMs how long to go on asking; 0 is once
 * @returns what was seen, or why the fault cannot be had here
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

/** One of each kind for each tenant; what they need is there before anything goes wrong. */
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

/** @returns how often it had to be sent; more than may be where it never succeeded */
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
