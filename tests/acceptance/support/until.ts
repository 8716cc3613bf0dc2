import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 10;

/**
 * Asks again and again until `condition` holds.
 * @param what completes the sentence "It never came to pass that …"
 * @param options.attemptsMax fewer for a condition that takes a while to ask for
 * @throws Error when it still does not hold after that many tries
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  { attemptsMax = 6_000 }: { readonly attemptsMax?: number } = {},
): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (await condition()) return;
    await delay(pauseMs);
  }
  throw new Error(`It never came to pass that ${what}.`);
}
