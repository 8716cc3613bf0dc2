import type { Command } from 'commander';
import { addCommand, type Cli } from '../shared/define.js';
import { confirmAct, type ConfirmedFlags, yesOption } from '../shared/confirm.js';
import { chooseCredential } from '../shared/resolve-id.js';
import { sendUnkeyedWrite } from '../shared/write.js';

/** `centavo clients revoke` */
export function addClientsRevoke(clients: Command, cli: Cli): void {
  addCommand<ConfirmedFlags>(clients, cli, {
    usage: 'revoke <client>',
    summary: 'End an integration client at once and for ever (id, name or last four)',
    examples: ['centavo clients revoke assistant', 'centavo clients revoke x7Qa --yes'],
    writes: 'unkeyed',
    options: (command) => command.option(...yesOption),
    act: async (invocation, flags, [wanted = '']) => {
      const { credentials } = invocation.connection.client;
      const client = chooseCredential((await credentials.listIntegrationClients()).data, { noun: 'client', wanted });
      await confirmAct(
        invocation,
        flags,
        `Revoke the client ${client.name} (ends in ${client.secretLast4}, ${client.status})? What uses it stops working.`,
      );
      await sendUnkeyedWrite(invocation, flags, {
        call: 'credentials.revokeIntegrationClient',
        pathParameters: { clientId: client.clientId },
        body: {},
        send: async () => {
          await credentials.revokeIntegrationClient(client.clientId);
          invocation.printer.note(`The client ${client.name} (${client.clientId}) is revoked.`);
        },
      });
    },
  });
}
