import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { printIfDryRun } from '../shared/dry-run.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireTracker } from '../shared/resolve-id.js';
import { trackerView } from './tracker-view.js';

/**
 * `centavo trackers use`: stores the tracker in the profile, so that later requests name this tracker. The command does not set the active
 * tracker on the server, for two reasons: the active tracker applies to all machines of the user, and the server ignores it
 * for API keys with several trackers.
 */
export function addTrackersUse(trackers: Command, cli: Cli): void {
  defineCommand<WriteFlags>(trackers, cli, {
    usage: 'use <tracker>',
    summary: 'Use this tracker (id or name) from now on; it is stored in the profile',
    examples: ['centavo trackers use Household'],
    writes: 'local',
    act: async (context, flags, [wanted = '']) => {
      const { connection, store, printer, profileName } = context;
      const tracker = await requireTracker(connection.client, wanted);
      const change = `uses the tracker ${tracker.name} (${tracker.id})`;
      if (await printIfDryRun(context, flags, { profile: profileName, change })) return;
      await store.update((profile) => ({ ...profile, trackerId: tracker.id }));
      printer.note(`The profile ${profileName} now uses the tracker ${tracker.name}.`);
      if (printer.format !== 'table') await printer.printRecord(tracker, trackerView);
    },
  });
}
