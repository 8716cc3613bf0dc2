import type { Command } from 'commander';
import { type ConfirmedFlags, confirmAction, yesOption } from '../shared/confirm.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { chooseCredential } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

export function addClientsRevoke(clients: Command, cli: Cli): void {
  defineCommand<ConfirmedFlags>(clients, cli, {
    usage: 'revoke <client>',
    summary:
      'Revoke an integration client (id, name or last four characters of the secret) immediately and permanently',
    examples: ['centavo clients revoke assistant', 'centavo clients revoke x7Qa --yes'],
    writes: 'withoutIdempotencyKey',
    options: (command) => command.option(...yesOption),
    act: async (context, flags, [wanted = '']) => {
      const { credentials } = context.connection.client;
      const client = chooseCredential((await credentials.listIntegrationClients()).data, { noun: 'client', wanted });
      await confirmAction(
        context,
        flags,
        `Revoke the client ${client.name} (its secret ends in ${client.secretLast4}; ${client.status})? Programs that use it stop working.`,
      );
      await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'credentials.revokeIntegrationClient',
        pathParameters: { clientId: client.clientId },
        body: {},
        send: async () => {
          await credentials.revokeIntegrationClient(client.clientId);
          context.printer.note(`The client ${client.name} (${client.clientId}) is revoked.`);
        },
      });
    },
  });
}
