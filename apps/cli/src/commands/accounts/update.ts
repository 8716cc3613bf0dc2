import { nameLengthMax } from '@centavo/contracts/calls';
import type { Account, UpdateAccountInput } from '@centavo/sdk';
import type { Command } from 'commander';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireAccountId } from '../shared/resolve-id.js';
import { requireChanges, sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { accountView } from './account-view.js';

export function addAccountsUpdate(accounts: Command, cli: Cli): void {
  defineCommand<WriteFlags & { name?: string; status?: string }>(accounts, cli, {
    usage: 'update <account>',
    summary: 'Rename or archive an account (id or name), or make an archived account (id only) active again',
    examples: [
      'centavo accounts update Checking --name "Joint account"',
      'centavo accounts update "Old card" --status archived',
    ],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .option('--name <name>', `up to ${nameLengthMax} characters`)
        .option('--status <status>', 'active or archived'),
    caller: 'user',
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const body = requireChanges(readPatch(flags), '--name or --status');
      const accountId = await requireAccountId(client, wanted);
      const account = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'accounts.update',
        pathParameters: { accountId },
        body,
        preview: (options) => client.accounts.update(accountId, body, options).withResponse(),
        send: () => client.accounts.update(accountId, body),
      });
      if (account === undefined) return;
      await context.printer.printRecord(account, accountView);
      noteArchived(context, { command: 'accounts update', ...account });
    },
  });
}

/** Returns the fields of an account or cashbox that the flags change. */
export function readPatch({ name, status }: { name?: string; status?: string }): UpdateAccountInput {
  return {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status: status as NonNullable<UpdateAccountInput['status']> }),
  };
}

/**
 * Prints the command that makes an archived record active again. The printed command contains the id, because commands
 * look names up in a list that omits archived records.
 */
export function noteArchived(
  { printer }: CommandContext,
  archived: { command: string; id: string; status: Account['status'] },
): void {
  if (archived.status !== 'archived') return;
  printer.note(
    `It is no longer listed. To make it active again: centavo ${archived.command} ${archived.id} --status active`,
  );
}
