import type { Context } from '@centavo/sdk';
import type { Command } from 'commander';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireTrackerId } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

/**
 * `centavo trackers set-active`: stores the active tracker on the server, for all machines. A tracker in the profile
 * (`trackers use`) takes precedence.
 */
export function addTrackersSetActive(trackers: Command, cli: Cli): void {
  addStoredTracker(trackers, cli, {
    verb: 'set-active',
    summary: 'Set your active tracker on all machines; requests that name no tracker use it',
    call: 'context.setActiveTracker',
    set: 'setActiveTracker',
  });
}

export function addTrackersSetDefault(trackers: Command, cli: Cli): void {
  addStoredTracker(trackers, cli, {
    verb: 'set-default',
    summary: 'Set your default tracker; requests use it if no tracker is named or active',
    call: 'context.setDefaultTracker',
    set: 'setDefaultTracker',
  });
}

function addStoredTracker(
  trackers: Command,
  cli: Cli,
  {
    verb,
    summary,
    call,
    set,
  }: { verb: string; summary: string; call: string; set: `set${'Active' | 'Default'}Tracker` },
): void {
  defineCommand<WriteFlags>(trackers, cli, {
    usage: `${verb} <tracker>`,
    summary,
    examples: [`centavo trackers ${verb} Household`],
    writes: 'withoutIdempotencyKey',
    act: async (context, flags, [wanted = '']) => {
      const { client } = context.connection;
      const trackerId = await requireTrackerId(client, wanted);
      const stored = await sendWriteWithoutIdempotencyKey(context, flags, {
        call,
        body: { trackerId },
        send: () => client.context[set](trackerId),
      });
      if (stored !== undefined) await context.printer.printRecord(stored, contextView);
    },
  });
}

const contextView: RecordView<Context> = {
  columns: [
    { header: 'ACTIVE TRACKER', value: (context) => context.activeTrackerId },
    { header: 'DEFAULT TRACKER', value: (context) => context.defaultTrackerId },
  ],
  fields: ['activeTrackerId', 'defaultTrackerId', 'resolvedBy', 'principal'],
};
