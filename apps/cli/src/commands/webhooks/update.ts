import type { UpdateWebhookInput } from '@centavo/sdk';
import { type Command, Option } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { withStepUp } from '../shared/step-up.js';
import { requireChanges, sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { addWebhookFlags, readWebhookFields, type WebhookFlags } from './webhook-flags.js';
import { requireWebhook, webhookDetailView } from './webhook-view.js';

interface UpdateWebhookFlags extends WebhookFlags {
  readonly url?: string;
  readonly status?: 'active' | 'paused';
  readonly resumeFrom?: 'cursor' | 'now';
}

export function addWebhooksUpdate(webhooks: Command, cli: Cli): void {
  defineCommand<UpdateWebhookFlags>(webhooks, cli, {
    usage: 'update <webhook>',
    summary: 'Change, pause or resume an endpoint; changing the URL makes you the owner of the endpoint',
    examples: [
      'centavo webhooks update https://example.com/webhooks --status paused',
      'centavo webhooks update x7Qa --status active --resume-from now',
      'centavo webhooks update x7Qa --url https://example.com/hooks --code 123456',
    ],
    writes: 'withoutIdempotencyKey',
    options: (command) =>
      addWebhookFlags(command)
        .option('--url <url>', 'new URL of the receiver')
        .addOption(new Option('--status <status>', 'pause or resume deliveries').choices(['active', 'paused']))
        .addOption(
          new Option(
            '--resume-from <position>',
            'with --status active: continue from the cursor of the endpoint, or with new events only',
          ).choices(['cursor', 'now']),
        ),
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const { url, status, resumeFrom } = flags;
      const patch: UpdateWebhookInput = {
        ...readWebhookFields(flags),
        ...(url !== undefined && { url }),
        ...(status !== undefined && { status }),
        ...(resumeFrom !== undefined && { resumeFrom }),
      };
      const body = requireChanges(patch, '--url, --events, --status or another flag that --help lists');
      const { id } = await requireWebhook(client, wanted);
      const webhook = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'webhooks.update',
        pathParameters: { webhookId: id },
        body,
        send: () => withStepUp(context, flags.code, () => client.webhooks.update(id, body)),
      });
      if (webhook !== undefined) await context.printer.printRecord(webhook, webhookDetailView);
    },
  });
}
