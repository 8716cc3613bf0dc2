import type { Command } from 'commander';
import { memberView } from '../members/member-view.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireInvitation, toShellWord } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

export function addInvitationsAccept(invitations: Command, cli: Cli): void {
  defineCommand<WriteFlags>(invitations, cli, {
    usage: 'accept <invitation>',
    summary: 'Become a member of the tracker (name or id) that you are invited to',
    examples: ['centavo invitations accept "Beach house"'],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    caller: 'user',
    act: async (context, flags, [wanted = '']) => {
      const { client } = context.connection;
      const { trackerId, trackerName } = await requireInvitation(client, wanted);
      const member = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'invitations.accept',
        pathParameters: { trackerId },
        body: {},
        preview: (options) => client.invitations.accept(trackerId, options).withResponse(),
        send: () => client.invitations.accept(trackerId),
      });
      if (member === undefined) return;
      const { printer } = context;
      if (printer.format !== 'table') await printer.printRecord(member, memberView);
      const word = toShellWord({ id: trackerId, name: trackerName });
      printer.note(`You are now ${member.role} in "${trackerName}". To act in it: centavo trackers use ${word}`);
    },
  });
}
