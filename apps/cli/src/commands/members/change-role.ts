import type { ChangeMemberRoleInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { addCommand, type Cli } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireCurrentTrackerId, requireMemberId } from '../shared/resolve-id.js';
import { sendUnkeyedWrite } from '../shared/write.js';
import { memberView } from './member-view.js';

/** `centavo members change-role` */
export function addMembersChangeRole(members: Command, cli: Cli): void {
  addCommand<WriteFlags & { role: string }>(members, cli, {
    usage: 'change-role <member>',
    summary: 'Give a member or an invited user (e-mail, name or id) another role',
    examples: ['centavo members change-role luis@example.com --role viewer'],
    writes: 'unkeyed',
    options: (command) => command.requiredOption('--role <role>', 'one of viewer, editor, admin, owner'),
    caller: 'user',
    act: async (invocation, flags, [wanted = '']) => {
      const { client } = invocation.connection;
      const trackerId = await requireCurrentTrackerId(invocation);
      const userId = await requireMemberId(client, trackerId, wanted);
      const body = { role: flags.role as ChangeMemberRoleInput['role'] };
      const member = await sendUnkeyedWrite(invocation, flags, {
        call: 'trackers.changeMemberRole',
        pathParameters: { trackerId, userId },
        body,
        send: () => client.trackers.changeMemberRole(trackerId, userId, body),
      });
      if (member !== undefined) await invocation.printer.printRecord(member, memberView);
    },
  });
}
