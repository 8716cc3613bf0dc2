import { type AddMemberInput, isNotFoundError } from '@centavo/sdk';
import type { Command } from 'commander';
import { withAdvice } from '../../advised-error.js';
import { addCommand, type Cli, type WriteFlags } from '../add-command.js';
import { requireCurrentTrackerId } from '../record-ids.js';
import { sendUnkeyedWrite } from '../send-write.js';
import { memberView } from './member-view.js';

/** `centavo members add` */
export function addMembersAdd(members: Command, cli: Cli): void {
  addCommand<WriteFlags & { role: string }>(members, cli, {
    usage: 'add <email>',
    summary: 'Let somebody who has a login into the tracker',
    examples: [
      'centavo members add luis@example.com --role editor',
      'centavo members add eva@example.com --role viewer',
    ],
    writes: 'unkeyed',
    options: (command) => command.requiredOption('--role <role>', 'owner, admin, editor or viewer'),
    caller: 'user',
    act: async (invocation, flags, [email = '']) => {
      const { trackers } = invocation.connection.client;
      const trackerId = await requireCurrentTrackerId(invocation);
      const body = { email, role: flags.role as AddMemberInput['role'] };
      const member = await sendUnkeyedWrite(invocation, flags, {
        call: 'trackers.addMember',
        pathParameters: { trackerId },
        body,
        send: () =>
          withAdvice(trackers.addMember(trackerId, body), (error) =>
            isNotFoundError(error) && error.details.resource === 'user'
              ? {
                  message: `Nobody has registered with ${email} here; they need a user first.`,
                  remedy: 'Let them register, or check the address.',
                }
              : undefined,
          ),
      });
      if (member !== undefined) await invocation.printer.printRecord(member, memberView);
    },
  });
}
