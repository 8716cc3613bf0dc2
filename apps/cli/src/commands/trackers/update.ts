import { nameLengthMax } from '@centavo/contracts/calls';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireTrackerId } from '../shared/resolve-id.js';
import { requireChanges, sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { trackerView } from './tracker-view.js';

export function addTrackersUpdate(trackers: Command, cli: Cli): void {
  defineCommand<WriteFlags & { name?: string; timeZone?: string }>(trackers, cli, {
    usage: 'update <tracker>',
    summary: 'Rename a tracker, or change its time zone',
    examples: [
      'centavo trackers update Household --name "Our home"',
      'centavo trackers update Household --time-zone Atlantic/Canary',
    ],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .option('--name <name>', `up to ${nameLengthMax} characters`)
        .option('--time-zone <zone>', 'IANA time zone'),
    caller: 'user',
    act: async (context, flags, [wanted = '']) => {
      const { client } = context.connection;
      const body = requireChanges(
        {
          ...(flags.name !== undefined && { name: flags.name }),
          ...(flags.timeZone !== undefined && { timeZone: flags.timeZone }),
        },
        '--name or --time-zone',
      );
      const trackerId = await requireTrackerId(client, wanted);
      const tracker = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'trackers.update',
        pathParameters: { trackerId },
        body,
        preview: (options) => client.trackers.update(trackerId, body, options).withResponse(),
        send: () => client.trackers.update(trackerId, body),
      });
      if (tracker !== undefined) await context.printer.printRecord(tracker, trackerView);
    },
  });
}
