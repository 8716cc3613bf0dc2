import type { Command } from 'commander';
import { type ConfirmedFlags, confirmNewName, yesToDuplicateName } from '../shared/confirm.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { trackerView } from './tracker-view.js';

interface CreateTrackerFlags extends ConfirmedFlags {
  readonly currency: string;
  readonly timeZone?: string;
}

export function addTrackersCreate(trackers: Command, cli: Cli): void {
  defineCommand<CreateTrackerFlags>(trackers, cli, {
    usage: 'create <name>',
    summary: 'Create a tracker; you become its owner',
    examples: ['centavo trackers create Household --currency EUR --time-zone Europe/Madrid'],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .requiredOption('--currency <code>', 'ISO 4217 code')
        .option('--time-zone <zone>', "IANA time zone (default: this machine's)")
        .option(...yesToDuplicateName),
    caller: 'user',
    act: async (context, flags, [name = '']) => {
      const timeZone = flags.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
      const body = { name, currencyCode: flags.currency, timeZone };
      const { trackers: trackersApi } = context.connection.client;
      await confirmNewName(context, flags, { noun: 'tracker', name, records: (await trackersApi.list()).data });
      const tracker = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'trackers.create',
        body,
        preview: (options) => trackersApi.create(body, options).withResponse(),
        send: () => trackersApi.create(body),
      });
      if (tracker !== undefined) await context.printer.printRecord(tracker, trackerView);
    },
  });
}
