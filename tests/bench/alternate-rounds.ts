import type { Round } from './figures.js';

/**
 * Runs several measurements in alternating rounds, so that other load on the machine affects all of them alike. Each round reverses
 * the order, so that no measurement is always the first. Discards the first round, which warms up caches and compilers.
 * @returns the rounds of each measurement, in order
 */
export async function alternateRounds<Name extends string>(
  rounds: number,
  measurements: Readonly<Record<Name, () => Promise<Round>>>,
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(measurements) as Name[];
  const roundsByName = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Round[]>;
  for (let number = 0; number <= rounds; number += 1) {
    for (const name of number % 2 === 0 ? names : names.toReversed()) {
      const round = await measurements[name]();
      if (number > 0) roundsByName[name].push(round);
    }
  }
  return roundsByName;
}
