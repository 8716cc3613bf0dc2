import type { Round } from './figures.js';

/**
 * Has several take turns for so many rounds, so that what the machine does besides falls on all of them, and nobody is
 * always the first. A round before the first is thrown away: it is for caches and compilers.
 * @returns the rounds of each, in their order
 */
export async function takeTurns<Name extends string>(
  rounds: number,
  takers: Readonly<Record<Name, () => Promise<Round>>>,
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(takers) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Round[]>;
  for (let number = 0; number <= rounds; number += 1) {
    for (const name of number % 2 === 0 ? names : names.toReversed()) {
      const round = await takers[name]();
      if (number > 0) taken[name].push(round);
    }
  }
  return taken;
}
