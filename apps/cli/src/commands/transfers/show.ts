import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { loadTransferView } from './transfer-view.js';

export function addTransfersShow(transfers: Command, cli: Cli): void {
  defineCommand(transfers, cli, {
    usage: 'show <id>',
    summary: 'Show a transfer with both its movements',
    examples: ['centavo transfers show 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11 -o json'],
    act: async (context, _flags, [id = '']) => {
      const client = await context.clientInTracker();
      const transfer = await client.transfers.get(id);
      await context.printer.printRecord(transfer, await loadTransferView(context, client));
    },
  });
}
