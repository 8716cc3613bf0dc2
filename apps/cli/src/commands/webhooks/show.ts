import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireWebhook, webhookDetailView } from './webhook-view.js';

export function addWebhooksShow(webhooks: Command, cli: Cli): void {
  defineCommand(webhooks, cli, {
    usage: 'show <webhook>',
    summary: 'Show one endpoint (id, URL, description or last four characters of its secret)',
    examples: ['centavo webhooks show https://example.com/webhooks', 'centavo webhooks show x7Qa -o json'],
    act: async (context, _flags, [wanted = '']) => {
      const webhook = await requireWebhook(await context.clientInTracker(), wanted);
      await context.printer.printRecord(webhook, webhookDetailView);
    },
  });
}
