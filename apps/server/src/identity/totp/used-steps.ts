/** Steps so far behind the last one that was used count as used: no clock that is right comes back to them. */
const kept = 10;

/** The time steps whose codes were accepted, of those that are kept; in no order. */
export type UsedSteps = readonly number[];

/** Whether a step's code was accepted before: each works once. Pure. Source: contract, section 8 */
export function isUsed(used: UsedSteps, step: number): boolean {
  return used.includes(step) || step <= Math.max(...used) - kept;
}

/** The steps that are kept once that of an accepted code is among them. Pure. */
export function useStep(used: UsedSteps, step: number): UsedSteps {
  const all = [...used, step];
  const last = Math.max(...all);
  return all.filter((one) => one > last - kept);
}
