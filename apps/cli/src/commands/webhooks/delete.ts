import type { Command } from 'commander';
import { type ConfirmedFlags, confirmAction, yesOption } from '../shared/confirm.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { requireWebhook } from './webhook-view.js';

export function addWebhooksDelete(webhooks: Command, cli: Cli): void {
  defineCommand<ConfirmedFlags>(webhooks, cli, {
    usage: 'delete <webhook>',
    summary: 'Delete an endpoint immediately and permanently, with its pending deliveries',
    examples: ['centavo webhooks delete https://example.com/webhooks', 'centavo webhooks delete x7Qa --yes'],
    writes: 'withoutIdempotencyKey',
    options: (command) => command.option(...yesOption),
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const { id, url } = await requireWebhook(client, wanted);
      await confirmAction(context, flags, `Delete the webhook ${url}? Its pending deliveries are dropped.`);
      await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'webhooks.delete',
        pathParameters: { webhookId: id },
        body: {},
        send: async () => {
          await client.webhooks.delete(id);
          context.printer.note(`The webhook ${url} (${id}) is deleted.`);
        },
      });
    },
  });
}
