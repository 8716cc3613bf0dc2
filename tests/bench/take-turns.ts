import type { Round } from './figures.js';

/**
 * Has several take turns for so many rounds, so that what the machine does besides falls on all of them, and nobody is
 * always the first. A round before the first is thrown away: it is for caches and compilers.
 * @returns the rounds of each, in their order
 */
export async function takeTurns(rounds: number, takers: readonly (() => Promise<Round>)[]): Promise<Round[][]> {
  const taken: Round[][] = takers.map(() => []);
  for (let number = 0; number <= rounds; number += 1) {
    const inTurn = [...takers.entries()];
    for (const [index, take] of number % 2 === 0 ? inTurn : inTurn.reverse()) {
      const round = await take();
      if (number > 0) taken[index]?.push(round);
    }
  }
  return taken;
}
