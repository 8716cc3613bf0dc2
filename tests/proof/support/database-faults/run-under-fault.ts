import { callsTo } from '../../../acceptance/support/call-api.js';
import { type Kind, kinds } from '../effects.js';
import { operations } from '../prepared-writes.js';
import { isSuccess } from '../retry-until-final.js';
import { newTally } from '../tally.js';
import type { TenantWithAccounts } from '../tenants-with-accounts.js';
import { countIdleInTransaction, untilNoConnectionOpens, useWholePool } from './check-pool.js';
import type { Fault, FaultEnvironment } from './fault.js';
import { acknowledge, type FaultAnswers, noAnswers, type PlannedWrite, sendAllAtOnce } from './send-during-fault.js';

/** The server and its tenants during the fault. */
export interface FaultTarget {
  readonly environment: FaultEnvironment;
  readonly origin: string;
  /** The pool size of the server. */
  readonly poolMax: number;
  readonly tenants: readonly [TenantWithAccounts, ...TenantWithAccounts[]];
  readonly login: { readonly email: string; readonly password: string };
  /** The ids of the records in the responses so far, by kind and by marker. A marker is a text that only one write has. */
  readonly acknowledged: ReadonlyMap<Kind, Map<string, string>>;
}

export interface FaultResult {
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: Readonly<Record<string, number>>;
}

interface NamedWrite extends PlannedWrite {
  readonly kind: Kind;
  readonly marker: string;
}

/** The number of attempts within which a write must succeed after the fault. */
const attemptsMax = 5;

/**
 * Sends all kinds of requests during the fault. Afterwards checks that the server works as before: writes succeed, all
 * connections of the pool are available, and no connection is idle in a transaction. Repeats each write. The
 * caller checks that each write has one effect.
 * @param options.round the prefix of the markers
 * @param options.lastsMs the time during which the requests are repeated, in milliseconds; 0 sends them once
 * @returns the counts, or the reason why this machine cannot inject the fault
 */
export async function runUnderFault(
  fault: Fault,
  { round, lastsMs, ...target }: FaultTarget & { readonly round: string; readonly lastsMs: number },
): Promise<FaultResult | string> {
  const { environment, origin, login } = target;
  const writes = await planWrites(round, target);
  const answers = noAnswers();
  try {
    try {
      const reason = await fault.begin(environment);
      if (reason !== undefined) return reason;
      const endsAt = performance.now() + lastsMs;
      do await sendAllAtOnce(origin, { writes, login, answers });
      while (performance.now() < endsAt);
    } finally {
      await fault.end(environment);
    }
    return await checkRecovery(round, { ...target, writes, answers });
  } finally {
    await fault.cleanUp?.(environment);
  }
}

/** Returns one write of each kind for each tenant. Their prerequisites are created before the fault. */
async function planWrites(round: string, { tenants, origin }: FaultTarget): Promise<NamedWrite[]> {
  const writes: NamedWrite[] = [];
  for (const [number, tenant] of tenants.entries()) {
    const accounts = { ...tenant.accounts, call: callsTo(origin, tenant.headers) };
    for (const kind of kinds) {
      const marker = `${round}, tenant ${number}, ${kind}`.replaceAll(/\W+/g, '-');
      writes.push({ kind, marker, tenant, prepared: await operations[kind](accounts, marker) });
    }
  }
  return writes;
}

async function checkRecovery(
  round: string,
  {
    writes,
    answers,
    ...target
  }: FaultTarget & { readonly writes: readonly NamedWrite[]; readonly answers: FaultAnswers },
): Promise<FaultResult> {
  const { environment, origin, poolMax, tenants, acknowledged } = target;
  const [tenant] = tenants;
  const violations = newTally('lateRecoveries', 'lostPoolSlots', 'idleInTransaction', 'refusedAfterwards');
  const marker = `${round}-afterwards`;
  const prepared = await operations['an expense'](tenant.accounts, marker);
  const attemptsAfterwards = await sendUntilDone({ kind: 'an expense', marker, tenant, prepared }, target, answers);
  const counts = { ...answers.counts, attemptsAfterwards };
  if (attemptsAfterwards > attemptsMax) {
    violations.lateRecoveries += 1;
    return { counts, violations: { ...answers.violations, ...violations } };
  }

  const connectionString = environment.postgres.connectionString();
  await untilNoConnectionOpens(origin);
  const pool = await useWholePool(connectionString, { origin, tenant, poolMax, marker: `${round}-pool` });
  for (const [key, id] of pool.ids) acknowledged.get('an expense')?.set(key, id);
  if (!pool.waitedTogether) violations.lostPoolSlots += 1;
  violations.refusedAfterwards += poolMax - pool.ids.size;
  violations.idleInTransaction += await countIdleInTransaction(connectionString);
  for (const write of writes) {
    if ((await sendUntilDone(write, target, answers)) > attemptsMax) violations.refusedAfterwards += 1;
  }
  return { counts, violations: { ...answers.violations, ...violations } };
}

/** Sends a write until it succeeds, at most `attemptsMax` times. @returns the number of attempts, or `attemptsMax + 1` if all failed */
async function sendUntilDone(
  { prepared, tenant, kind, marker }: NamedWrite,
  { origin, acknowledged }: FaultTarget,
  answers: FaultAnswers,
): Promise<number> {
  const { methodAndPath, body } = prepared;
  const headers = { ...tenant.headers, ...prepared.headers };
  for (let attempts = 1; attempts <= attemptsMax; attempts += 1) {
    const answer = await callsTo(origin)(methodAndPath, { body, headers }).catch(() => undefined);
    if (answer === undefined || !isSuccess(answer)) continue;
    acknowledged.get(kind)?.set(marker, acknowledge(answers, prepared, answer));
    return attempts;
  }
  return attemptsMax + 1;
}
