import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { withStepUp } from '../shared/step-up.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { addWebhookFlags, readWebhookFields, requireNumber, type WebhookFlags } from './webhook-flags.js';
import { printWebhookSecret } from './webhook-view.js';

export function addWebhooksCreate(webhooks: Command, cli: Cli): void {
  defineCommand<WebhookFlags & { fromSequence?: string }>(webhooks, cli, {
    usage: 'create <url>',
    summary: 'Create an endpoint; its secret is printed once',
    examples: [
      'centavo webhooks create https://example.com/webhooks --code 123456',
      "centavo webhooks create https://example.com/webhooks --events 'movement.*,transfer.*' --payload record",
    ],
    writes: 'withoutIdempotencyKey',
    options: (command) =>
      addWebhookFlags(command).option(
        '--from-sequence <number>',
        'the sequence number of the first event to deliver (default: only new events)',
      ),
    act: async (context, flags, [url = '']) => {
      const { webhooks } = await context.clientInTracker();
      const { fromSequence } = flags;
      const body = {
        url,
        ...readWebhookFields(flags),
        ...(fromSequence !== undefined && { fromSequence: requireNumber('--from-sequence', fromSequence) }),
      };
      const webhook = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'webhooks.create',
        body,
        send: () => withStepUp(context, flags.code, () => webhooks.create(body)),
      });
      if (webhook !== undefined) await printWebhookSecret(context.printer, webhook);
    },
  });
}
