import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { deliveryView, requireWebhook } from './webhook-view.js';

export function addWebhooksTest(webhooks: Command, cli: Cli): void {
  defineCommand<WriteFlags>(webhooks, cli, {
    usage: 'test <webhook>',
    summary: 'Send the event webhook.test to an endpoint within a second',
    examples: ['centavo webhooks test https://example.com/webhooks', 'centavo webhooks test x7Qa -o json'],
    writes: 'withoutIdempotencyKey',
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const { id, url } = await requireWebhook(client, wanted);
      const delivery = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'webhooks.test',
        pathParameters: { webhookId: id },
        body: {},
        send: () => client.webhooks.test(id),
      });
      if (delivery === undefined) return;
      await context.printer.printRecord(delivery, deliveryView);
      context.printer.note(`To see its result: centavo webhooks deliveries ${url}`);
    },
  });
}
