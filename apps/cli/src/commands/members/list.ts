import type { Command } from 'commander';
import { addCommand, type Cli } from '../shared/define.js';
import { requireCurrentTrackerId } from '../shared/resolve-id.js';
import { memberView } from './member-view.js';

/** `centavo members list` */
export function addMembersList(members: Command, cli: Cli): void {
  addCommand(members, cli, {
    usage: 'list',
    summary: 'List the members of the tracker and the users invited to it',
    examples: ['centavo members list', 'centavo members list --tracker Household -o json'],
    caller: 'user',
    act: async (invocation) => {
      const trackerId = await requireCurrentTrackerId(invocation);
      await invocation.printer.printRecords(invocation.connection.client.trackers.listMembers(trackerId), memberView);
    },
  });
}
