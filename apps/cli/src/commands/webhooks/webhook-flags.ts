import type { UpdateWebhookInput } from '@centavo/sdk';
import { type Command, Option } from 'commander';
import { UsageError } from '../../errors.js';
import { collect, type WriteFlags } from '../shared/flags.js';

/** The flags that `webhooks create` and `webhooks update` have in common. */
export interface WebhookFlags extends WriteFlags {
  readonly events: readonly string[];
  readonly description?: string;
  readonly payload?: 'reference' | 'record';
  readonly ownWrites?: 'include' | 'exclude';
  readonly maxInFlight?: string;
  readonly code?: string;
}

export function addWebhookFlags(command: Command): Command {
  return command
    .option('--events <types>', 'types or prefixes such as movement.*; repeat the flag or use commas', collect, [])
    .option('--description <text>', 'your own description of the endpoint')
    .addOption(
      new Option('--payload <payload>', 'reference: the event; record: event, changed fields and record').choices([
        'reference',
        'record',
      ]),
    )
    .addOption(
      new Option('--own-writes <choice>', 'include or exclude the events of your own writes').choices([
        'include',
        'exclude',
      ]),
    )
    .option(
      '--max-in-flight <count>',
      '1 to 16 concurrent requests; 1 preserves the order of events unless a delivery fails',
    )
    .option('--code <digits>', 'one-time code, if the server requires one');
}

/** Converts the flags to fields of the API. Fields whose flags are not set are absent. */
export function readWebhookFields(flags: WebhookFlags): Omit<UpdateWebhookInput, 'url' | 'status' | 'resumeFrom'> {
  const { events, description, payload, ownWrites, maxInFlight } = flags;
  return {
    ...(events.length > 0 && { eventTypes: splitTypes(events) }),
    ...(description !== undefined && { description }),
    ...(payload !== undefined && { payload }),
    ...(ownWrites !== undefined && { excludeOwnWrites: ownWrites === 'exclude' }),
    ...(maxInFlight !== undefined && { maxInFlight: requireNumber('--max-in-flight', maxInFlight) }),
  };
}

function splitTypes(events: readonly string[]): string[] {
  return events.flatMap((text) => text.split(',')).map((text) => text.trim());
}

/** Returns the value of a flag as a number. @throws UsageError (exit 2) if the text is not a whole number of at most 15 digits */
export function requireNumber(flag: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} "${text}" is not a whole number of at most 15 digits.`);
}
