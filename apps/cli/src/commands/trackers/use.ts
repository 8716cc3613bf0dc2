import type { Command } from 'commander';
import { defineCommand, type Cli } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireTracker } from '../shared/resolve-id.js';
import { printIfDryRun } from '../shared/dry-run.js';
import { trackerView } from './tracker-view.js';

/**
 * `centavo trackers use`: the profile remembers the tracker and names it in every request. The server's own notion of
 * an active tracker is left alone: it belongs to the user, not to this machine, and a key with several trackers has none.
 */
export function addTrackersUse(trackers: Command, cli: Cli): void {
  defineCommand<WriteFlags>(trackers, cli, {
    usage: 'use <tracker>',
    summary: 'Act in this tracker from now on (id or name; kept in the profile)',
    examples: ['centavo trackers use Household'],
    writes: 'local',
    act: async (context, flags, [wanted = '']) => {
      const { connection, store, printer, profileName } = context;
      const tracker = await requireTracker(connection.client, wanted);
      const change = `acts in ${tracker.name} (${tracker.id})`;
      if (await printIfDryRun(context, flags, { profile: profileName, change })) return;
      await store.update((profile) => ({ ...profile, trackerId: tracker.id }));
      printer.note(`The profile ${profileName} now acts in ${tracker.name}.`);
      if (printer.format !== 'table') await printer.printRecord(tracker, trackerView);
    },
  });
}
