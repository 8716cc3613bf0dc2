import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireInvitation } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

export function addInvitationsDecline(invitations: Command, cli: Cli): void {
  defineCommand<WriteFlags>(invitations, cli, {
    usage: 'decline <invitation>',
    summary: 'Decline the invitation to a tracker (name or id)',
    examples: ['centavo invitations decline "Beach house"'],
    writes: 'withoutIdempotencyKey',
    caller: 'user',
    act: async (context, flags, [wanted = '']) => {
      const { client } = context.connection;
      const { trackerId, trackerName } = await requireInvitation(client, wanted);
      await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'invitations.decline',
        pathParameters: { trackerId },
        body: {},
        send: async () => {
          await client.invitations.decline(trackerId);
          context.printer.note(`The invitation to "${trackerName}" is declined.`);
        },
      });
    },
  });
}
