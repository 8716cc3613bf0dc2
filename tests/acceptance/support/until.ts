import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 10;

/**
 * Checks a condition repeatedly until it is true.
 * @param what completes the sentence "This never became true: …"
 * @param options.attemptsMax set it to a smaller number if the check of the condition takes long
 * @throws Error if the condition is not true after that many attempts
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
  throw new Error(`This never became true: ${what}.`);
}
