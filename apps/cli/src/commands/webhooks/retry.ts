import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { deliveryView, requireWebhook } from './webhook-view.js';

export function addWebhooksRetry(webhooks: Command, cli: Cli): void {
  defineCommand<WriteFlags>(webhooks, cli, {
    usage: 'retry <webhook> <delivery>',
    summary: 'Send a stored delivery again now, with a new retry schedule',
    examples: ['centavo webhooks retry https://example.com/webhooks 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11'],
    writes: 'withoutIdempotencyKey',
    act: async (context, flags, [wanted = '', deliveryId = '']) => {
      const client = await context.clientInTracker();
      const { id } = await requireWebhook(client, wanted);
      const delivery = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'webhooks.retryDelivery',
        pathParameters: { webhookId: id, deliveryId },
        body: {},
        send: () => client.webhooks.retryDelivery(id, deliveryId),
      });
      if (delivery !== undefined) await context.printer.printRecord(delivery, deliveryView);
    },
  });
}
