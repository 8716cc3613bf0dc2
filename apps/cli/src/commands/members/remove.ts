import type { Command } from 'commander';
import { addCommand, type Cli } from '../add-command.js';
import { type ConfirmedFlags, confirmAct, yesOption } from '../confirm-act.js';
import { requireCurrentTrackerId, requireMemberId } from '../record-ids.js';
import { sendUnkeyedWrite } from '../send-write.js';

/** `centavo members remove` */
export function addMembersRemove(members: Command, cli: Cli): void {
  addCommand<ConfirmedFlags>(members, cli, {
    usage: 'remove <member>',
    summary: 'Remove a member (e-mail, name or id), withdraw an invitation, or leave the tracker yourself',
    examples: ['centavo members remove luis@example.com', 'centavo members remove luis@example.com --yes'],
    writes: 'unkeyed',
    options: (command) => command.option(...yesOption),
    caller: 'user',
    act: async (invocation, flags, [wanted = '']) => {
      const { client } = invocation.connection;
      const trackerId = await requireCurrentTrackerId(invocation);
      const userId = await requireMemberId(client, trackerId, wanted);
      await confirmAct(
        invocation,
        flags,
        `Take ${wanted} out of the tracker? Keys of theirs stop working in it; what they recorded stays.`,
      );
      await sendUnkeyedWrite(invocation, flags, {
        call: 'trackers.removeMember',
        pathParameters: { trackerId, userId },
        body: {},
        send: async () => {
          await client.trackers.removeMember(trackerId, userId);
          invocation.printer.note(`${wanted} is no longer in the tracker.`);
        },
      });
    },
  });
}
