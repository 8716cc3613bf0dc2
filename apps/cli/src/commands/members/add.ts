import { type AddMemberInput, isNotFoundError } from '@centavo/sdk';
import type { Command } from 'commander';
import { withAdvice } from '../../errors.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireCurrentTrackerId } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { memberView } from './member-view.js';

export function addMembersAdd(members: Command, cli: Cli): void {
  defineCommand<WriteFlags & { role: string }>(members, cli, {
    usage: 'add <email>',
    summary: 'Invite a registered user to the tracker; they become a member when they accept',
    examples: [
      'centavo members add luis@example.com --role editor',
      'centavo members add eva@example.com --role viewer',
    ],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    options: (command) => command.requiredOption('--role <role>', 'one of viewer, editor, admin, owner'),
    caller: 'user',
    act: async (context, flags, [email = '']) => {
      const { trackers } = context.connection.client;
      const trackerId = await requireCurrentTrackerId(context);
      const body = { email, role: flags.role as AddMemberInput['role'] };
      const member = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'trackers.addMember',
        pathParameters: { trackerId },
        body,
        preview: (options) => trackers.addMember(trackerId, body, options).withResponse(),
        send: () =>
          withAdvice(trackers.addMember(trackerId, body), (error) =>
            isNotFoundError(error) && error.details.resource === 'user'
              ? {
                  message: `No user is registered as ${email}.`,
                  remedy: 'Check the e-mail address. New users register first, with "centavo register".',
                }
              : undefined,
          ),
      });
      if (member === undefined) return;
      await context.printer.printRecord(member, memberView);
      context.printer.note(
        `${email} is invited. They accept with "centavo invitations accept ${trackerId}" within 30 days. ` +
          'Check the name and the day of registration: the server does not verify e-mail addresses.',
      );
    },
  });
}
