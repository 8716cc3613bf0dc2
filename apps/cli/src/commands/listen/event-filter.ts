import { eventTypes, matchesEventType } from '@centavo/contracts/calls';
import { UsageError } from '../../errors.js';

/**
 * Returns the patterns of `--events`, or `*` without the flag. The flag may be repeated, and commas may separate
 * patterns.
 * @throws UsageError (exit 2) for a pattern that matches no event type
 */
export function parseEventPatterns(given: readonly string[]): readonly string[] {
  const patterns = given.flatMap((text) => text.split(',')).map((text) => text.trim());
  const unknown = patterns.find((pattern) => !eventTypes.some((type) => matchesEventType(pattern, type)));
  if (unknown !== undefined) {
    throw new UsageError(
      `--events "${unknown}" matches no type of event.`,
      `Use *, a prefix such as movement.*, or one of: ${eventTypes.join(', ')}.`,
    );
  }
  return patterns.length === 0 ? ['*'] : patterns;
}
