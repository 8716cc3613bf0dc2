import type { Invitation } from '@centavo/sdk';
import type { Command } from 'commander';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';

export function addInvitationsList(invitations: Command, cli: Cli): void {
  defineCommand(invitations, cli, {
    usage: 'list',
    summary: 'List your open invitations to trackers of other users',
    examples: ['centavo invitations list', 'centavo invitations list -o json'],
    caller: 'user',
    act: async ({ connection, printer }) => {
      const { data: invitations } = await connection.client.invitations.list();
      await printer.printRecords(invitations, invitationView);
      if (invitations.length === 0) printer.note('You have no open invitation.');
    },
  });
}

const invitationView: RecordView<Invitation> = {
  columns: [
    { header: 'TRACKER', value: ({ trackerName }) => trackerName, flexible: true, roomy: true },
    { header: 'ROLE', value: ({ role }) => role },
    { header: 'INVITED BY', value: ({ invitedBy: { email, displayName } }) => email ?? displayName, flexible: true },
    { header: 'ENDS', value: ({ expiresAt }) => expiresAt.slice(0, 10), droppable: 'last' },
    { header: 'TRACKER ID', value: ({ trackerId }) => trackerId, droppable: true },
  ],
  fields: ['trackerId', 'trackerName', 'role', 'invitedBy', 'createdAt', 'expiresAt'],
};
