import { connectAsOwner } from '../crash-postgres.js';
import { findViolations } from '../effects.js';
import { isLong, recordProof } from '../proof-record.js';
import type { Fault } from './fault.js';
import { type FaultResult, type FaultTarget, runUnderFault } from './run-under-fault.js';

const rounds = isLong ? 3 : 1;

interface Sums {
  readonly injected: Record<string, number>;
  readonly violations: Record<string, number>;
}

/**
 * Injects the fault once, or three times in a long run. Then compares all writes and balances with the responses, and
 * records the counts.
 * @returns the counts, or the reason why this machine cannot inject the fault
 */
export async function proveFault(fault: Fault, target: FaultTarget): Promise<Sums | string> {
  const sums: Sums = { injected: { rounds }, violations: {} };
  const lastsMs = isLong ? (fault.lastsMsWhenLong ?? 0) : 0;
  for (let round = 1; round <= rounds; round += 1) {
    const result = await runUnderFault(fault, { ...target, round: `${fault.name} ${round}`, lastsMs });
    if (typeof result === 'string') return result;
    add(result, sums);
  }
  const owner = await connectAsOwner(target.environment.postgres.connectionString());
  add({ counts: {}, violations: { ...(await findViolations(owner, target.acknowledged)) } }, sums);
  await owner.end();
  await recordProof({
    id: 'T18',
    promise: `While ${fault.name}, every request gets a response; afterwards the server works, and every write that is sent again is recorded once`,
    seed: null,
    ...sums,
  });
  return sums;
}

/** Adds the counts of a round to the totals. For a maximum, stores the larger value instead of the sum. */
function add({ counts, violations }: FaultResult, sums: Sums): void {
  for (const [name, count] of Object.entries(counts)) {
    const before = sums.injected[name] ?? 0;
    const isMaximum = name === 'slowestMs' || name === 'attemptsAfterwards';
    sums.injected[name] = isMaximum ? Math.max(before, count) : before + count;
  }
  for (const [name, count] of Object.entries(violations)) sums.violations[name] = (sums.violations[name] ?? 0) + count;
}
