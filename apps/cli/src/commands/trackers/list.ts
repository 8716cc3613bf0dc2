import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { noTrackerRemedy } from '../shared/resolve-id.js';
import { trackerView } from './tracker-view.js';

export function addTrackersList(trackers: Command, cli: Cli): void {
  defineCommand(trackers, cli, {
    usage: 'list',
    summary: 'List the trackers that you may use',
    examples: ['centavo trackers list', 'centavo trackers list -o json'],
    act: async ({ connection, printer }) => {
      const { data: records } = await connection.client.trackers.list();
      await printer.printRecords(records, trackerView);
      if (records.length === 0) printer.note(noTrackerRemedy);
    },
  });
}
