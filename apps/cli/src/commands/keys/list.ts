import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { credentialView } from './credential-view.js';

export function addKeysList(keys: Command, cli: Cli): void {
  defineCommand(keys, cli, {
    usage: 'list',
    summary: 'List your API keys without their secrets, newest first',
    examples: ['centavo keys list', 'centavo keys list -o json'],
    act: async ({ connection, printer }) =>
      printer.printRecords(connection.client.credentials.listApiKeys(), credentialView),
  });
}
