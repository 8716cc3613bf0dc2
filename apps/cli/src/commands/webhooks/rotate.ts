import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { withStepUp } from '../shared/step-up.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { requireNumber } from './webhook-flags.js';
import { printWebhookSecret, requireWebhook } from './webhook-view.js';

interface RotateWebhookFlags extends WriteFlags {
  readonly overlapHours?: string;
  readonly code?: string;
}

export function addWebhooksRotate(webhooks: Command, cli: Cli): void {
  defineCommand<RotateWebhookFlags>(webhooks, cli, {
    usage: 'rotate <webhook>',
    summary: 'Replace the secret of an endpoint; the new secret is printed once',
    examples: [
      'centavo webhooks rotate https://example.com/webhooks --code 123456',
      'centavo webhooks rotate x7Qa --overlap-hours 48',
    ],
    writes: 'withoutIdempotencyKey',
    options: (command) =>
      command
        .option('--overlap-hours <hours>', '0 to 168: how long the server also signs with the old secret (default: 24)')
        .option('--code <digits>', 'one-time code, if the server requires one'),
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const { overlapHours } = flags;
      const body = overlapHours === undefined ? {} : { overlapHours: requireNumber('--overlap-hours', overlapHours) };
      const { id } = await requireWebhook(client, wanted);
      const webhook = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'webhooks.rotateSecret',
        pathParameters: { webhookId: id },
        body,
        send: () => withStepUp(context, flags.code, () => client.webhooks.rotateSecret(id, body)),
      });
      if (webhook === undefined) return;
      await printWebhookSecret(context.printer, webhook);
      const { overlapHours: hours = 24 } = body;
      if (hours !== 0) {
        const time = hours === 1 ? '1 hour' : `${hours} hours`;
        context.printer.note(`The server also signs with the old secret for ${time}, so that receivers can switch.`);
      }
    },
  });
}
