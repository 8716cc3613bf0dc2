import type { ChangeMemberRoleInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireCurrentTrackerId, requireMemberId } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { memberView } from './member-view.js';

export function addMembersChangeRole(members: Command, cli: Cli): void {
  defineCommand<WriteFlags & { role: string }>(members, cli, {
    usage: 'change-role <member>',
    summary: 'Give a member or an invited user (e-mail, name or id) another role',
    examples: ['centavo members change-role luis@example.com --role viewer'],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    options: (command) => command.requiredOption('--role <role>', 'one of viewer, editor, admin, owner'),
    caller: 'user',
    act: async (context, flags, [wanted = '']) => {
      const { client } = context.connection;
      const trackerId = await requireCurrentTrackerId(context);
      const userId = await requireMemberId(client, trackerId, wanted);
      const body = { role: flags.role as ChangeMemberRoleInput['role'] };
      const member = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'trackers.changeMemberRole',
        pathParameters: { trackerId, userId },
        body,
        preview: (options) => client.trackers.changeMemberRole(trackerId, userId, body, options).withResponse(),
        send: () => client.trackers.changeMemberRole(trackerId, userId, body),
      });
      if (member !== undefined) await context.printer.printRecord(member, memberView);
    },
  });
}
