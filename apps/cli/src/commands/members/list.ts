import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireCurrentTrackerId } from '../shared/resolve-id.js';
import { memberView } from './member-view.js';

export function addMembersList(members: Command, cli: Cli): void {
  defineCommand(members, cli, {
    usage: 'list',
    summary: 'List the members of the tracker and the users invited to it',
    examples: ['centavo members list', 'centavo members list --tracker Household -o json'],
    caller: 'user',
    act: async (context) => {
      const trackerId = await requireCurrentTrackerId(context);
      await context.printer.printRecords(context.connection.client.trackers.listMembers(trackerId), memberView);
    },
  });
}
