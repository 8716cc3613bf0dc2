import { type Command, Option } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireNumber } from './webhook-flags.js';
import { deliveryView, requireWebhook } from './webhook-view.js';

const statuses = ['pending', 'succeeded', 'failed', 'dropped'] as const;

interface DeliveriesFlags {
  readonly status?: (typeof statuses)[number];
  readonly limit?: string;
  readonly cursor?: string;
  readonly all?: boolean;
}

export function addWebhooksDeliveries(webhooks: Command, cli: Cli): void {
  defineCommand<DeliveriesFlags>(webhooks, cli, {
    usage: 'deliveries <webhook>',
    summary: 'List the stored deliveries of an endpoint, newest first',
    examples: [
      'centavo webhooks deliveries https://example.com/webhooks',
      'centavo webhooks deliveries x7Qa --status failed --all -o jsonl',
    ],
    options: (command) =>
      command
        .addOption(new Option('--status <status>', 'only deliveries with this status').choices(statuses))
        .option('--limit <rows>', '1 to 200 rows (default: 50)')
        .option('--cursor <cursor>', 'continue from the cursor of an earlier page')
        .option('--all', 'all pages'),
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const { status, cursor } = flags;
      const filters = {
        status,
        cursor,
        ...(flags.limit !== undefined && { limit: requireNumber('--limit', flags.limit) }),
      };
      const { id } = await requireWebhook(client, wanted);
      const deliveries = client.webhooks.listDeliveries(id, filters);
      if (flags.all === true) {
        await context.printer.printRecords(deliveries, deliveryView);
        return;
      }
      const { data, pagination } = await deliveries;
      await context.printer.printRecords(data, deliveryView);
      if (pagination.hasMore)
        context.printer.note(`There are more deliveries. Use --all, or --cursor ${pagination.nextCursor}`);
    },
  });
}
