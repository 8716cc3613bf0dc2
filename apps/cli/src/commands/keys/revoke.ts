import type { Command } from 'commander';
import { addCommand, type Cli } from '../shared/define.js';
import { confirmAct, type ConfirmedFlags, yesOption } from '../shared/confirm.js';
import { chooseCredential } from '../shared/resolve-id.js';
import { sendUnkeyedWrite } from '../shared/write.js';

/** `centavo keys revoke` */
export function addKeysRevoke(keys: Command, cli: Cli): void {
  addCommand<ConfirmedFlags>(keys, cli, {
    usage: 'revoke <key>',
    summary: 'End an API key at once and for ever (id, name or last four)',
    examples: ['centavo keys revoke import', 'centavo keys revoke x7Qa --yes'],
    writes: 'unkeyed',
    options: (command) => command.option(...yesOption),
    act: async (invocation, flags, [wanted = '']) => {
      const { credentials } = invocation.connection.client;
      const key = chooseCredential((await credentials.listApiKeys()).data, { noun: 'key', wanted });
      await confirmAct(
        invocation,
        flags,
        `Revoke the key ${key.name} (ends in ${key.secretLast4}, ${key.status})? What uses it stops working.`,
      );
      await sendUnkeyedWrite(invocation, flags, {
        call: 'credentials.revokeApiKey',
        pathParameters: { clientId: key.clientId },
        body: {},
        send: async () => {
          await credentials.revokeApiKey(key.clientId);
          invocation.printer.note(`The key ${key.name} (${key.clientId}) is revoked.`);
        },
      });
    },
  });
}
