import type { Command } from 'commander';
import { credentialView } from '../keys/credential-view.js';
import { type Cli, defineCommand } from '../shared/define.js';

export function addClientsList(clients: Command, cli: Cli): void {
  defineCommand(clients, cli, {
    usage: 'list',
    summary: 'List your integration clients without their secrets, newest first',
    examples: ['centavo clients list', 'centavo clients list -o json'],
    act: async ({ connection, printer }) =>
      printer.printRecords(connection.client.credentials.listIntegrationClients(), credentialView),
  });
}
