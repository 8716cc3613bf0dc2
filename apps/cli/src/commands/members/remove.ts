import type { Member } from '@centavo/sdk';
import type { Command } from 'commander';
import { type ConfirmedFlags, confirmAction, yesOption } from '../shared/confirm.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireCurrentTrackerId, requireMember } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { findMe } from '../status/load-status.js';

export function addMembersRemove(members: Command, cli: Cli): void {
  defineCommand<ConfirmedFlags>(members, cli, {
    usage: 'remove <member>',
    summary: 'Remove a member (e-mail, name or id), withdraw an invitation, or leave the tracker',
    examples: ['centavo members remove luis@example.com', 'centavo members remove luis@example.com --yes'],
    writes: 'withoutIdempotencyKey',
    options: (command) => command.option(...yesOption),
    caller: 'user',
    act: async (context, flags, [wanted = '']) => {
      const { client } = context.connection;
      const trackerId = await requireCurrentTrackerId(context);
      const member = await requireMember(client, trackerId, wanted);
      const { userId } = member;
      const { question, result } = describeRemoval(member, {
        isOwn: userId === (await findMe(context))?.userId,
        trackerName: (await client.trackers.list()).data.find(({ id }) => id === trackerId)?.name ?? trackerId,
      });
      await confirmAction(context, flags, question);
      await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'trackers.removeMember',
        pathParameters: { trackerId, userId },
        body: {},
        send: async () => {
          await client.trackers.removeMember(trackerId, userId);
          context.printer.note(result);
        },
      });
    },
  });
}

/** Returns the question to ask before a removal, and the message to print after the removal. */
function describeRemoval(
  { userId, email, displayName, status }: Member,
  { isOwn, trackerName }: { isOwn: boolean; trackerName: string },
): { question: string; result: string } {
  const name = email ?? displayName ?? userId;
  if (isOwn) {
    return {
      question: `Leave the tracker "${trackerName}"? Your keys stop working in it. Your records stay.`,
      result: `You have left the tracker "${trackerName}".`,
    };
  }
  if (status === 'invited') {
    return {
      question: `Withdraw the invitation for ${name} to "${trackerName}"?`,
      result: `The invitation for ${name} to "${trackerName}" is withdrawn.`,
    };
  }
  return {
    question: `Remove ${name} from the tracker "${trackerName}"? Their keys stop working in it. Their records stay.`,
    result: `${name} is no longer in the tracker "${trackerName}".`,
  };
}
