import { nameLengthMax } from '@centavo/contracts/calls';
import type { Command } from 'commander';
import { cashboxView } from '../accounts/account-view.js';
import { noteArchived, readPatch } from '../accounts/update.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireAccountId, requireCashboxId } from '../shared/resolve-id.js';
import { requireChanges, sendWriteWithoutIdempotencyKey } from '../shared/write.js';

export function addCashboxesUpdate(cashboxes: Command, cli: Cli): void {
  defineCommand<WriteFlags & { account?: string; name?: string; status?: string }>(cashboxes, cli, {
    usage: 'update <cashbox>',
    summary: 'Rename or archive a cashbox, or make it active again',
    examples: [
      'centavo cashboxes update "Savings jar" --name Holidays',
      'centavo cashboxes update Holidays --account Checking --status archived',
    ],
    writes: 'withoutIdempotencyKey',
    hasPreview: true,
    options: (command) =>
      command
        .option('--account <account>', 'its account, if several accounts have a cashbox of this name')
        .option('--name <name>', `up to ${nameLengthMax} characters`)
        .option('--status <status>', 'active or archived'),
    caller: 'user',
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const body = requireChanges(readPatch(flags), '--name or --status');
      const accountId = flags.account === undefined ? undefined : await requireAccountId(client, flags.account);
      const cashboxId = await requireCashboxId(client, wanted, accountId);
      const cashbox = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'accounts.updateCashbox',
        pathParameters: { cashboxId },
        body,
        preview: (options) => client.accounts.updateCashbox(cashboxId, body, options).withResponse(),
        send: () => client.accounts.updateCashbox(cashboxId, body),
      });
      if (cashbox === undefined) return;
      await context.printer.printRecord(cashbox, cashboxView);
      noteArchived(context, { command: 'cashboxes update', ...cashbox });
    },
  });
}
