import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { requireNumber } from './webhook-flags.js';
import { requireWebhook } from './webhook-view.js';

interface ReplayFlags extends WriteFlags {
  readonly fromSequence: string;
  readonly toSequence?: string;
  readonly onlyFailed?: boolean;
}

export function addWebhooksReplay(webhooks: Command, cli: Cli): void {
  defineCommand<ReplayFlags>(webhooks, cli, {
    usage: 'replay <webhook>',
    summary: 'Deliver the events of a range again, with the same event ids; at most 10,000 deliveries',
    examples: [
      'centavo webhooks replay https://example.com/webhooks --from-sequence 1200 --to-sequence 1300',
      'centavo webhooks replay x7Qa --from-sequence 1 --only-failed',
    ],
    writes: 'withoutIdempotencyKey',
    options: (command) =>
      command
        .requiredOption('--from-sequence <number>', 'the sequence number of the first event')
        .option('--to-sequence <number>', 'the sequence number of the last event (default: the newest event)')
        .option('--only-failed', 'only events whose delivery failed'),
    act: async (context, flags, [wanted = '']) => {
      const client = await context.clientInTracker();
      const { toSequence, onlyFailed } = flags;
      const body = {
        fromSequence: requireNumber('--from-sequence', flags.fromSequence),
        ...(toSequence !== undefined && { toSequence: requireNumber('--to-sequence', toSequence) }),
        ...(onlyFailed === true && { onlyFailed }),
      };
      const { id } = await requireWebhook(client, wanted);
      const replay = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'webhooks.replay',
        pathParameters: { webhookId: id },
        body,
        send: () => client.webhooks.replay(id, body),
      });
      if (replay === undefined) return;
      const columns = [{ header: 'COUNT', value: () => String(replay.count) }];
      await context.printer.printRecord(replay, { columns, fields: ['count'] });
    },
  });
}
