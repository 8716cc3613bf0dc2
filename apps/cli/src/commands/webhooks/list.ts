import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { webhookView } from './webhook-view.js';

export function addWebhooksList(webhooks: Command, cli: Cli): void {
  defineCommand(webhooks, cli, {
    usage: 'list',
    summary: 'List the endpoints of the tracker, newest first, without their secrets',
    examples: ['centavo webhooks list', 'centavo webhooks list -o json'],
    act: async (context) => {
      const client = await context.clientInTracker();
      await context.printer.printRecords(client.webhooks.list(), webhookView);
    },
  });
}
