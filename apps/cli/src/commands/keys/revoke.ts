import type { Command } from 'commander';
import { type ConfirmedFlags, confirmAction, yesOption } from '../shared/confirm.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { chooseCredential } from '../shared/resolve-id.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

export function addKeysRevoke(keys: Command, cli: Cli): void {
  defineCommand<ConfirmedFlags>(keys, cli, {
    usage: 'revoke <key>',
    summary: 'Revoke an API key (id, name or last four characters of the secret) immediately and permanently',
    examples: ['centavo keys revoke import', 'centavo keys revoke x7Qa --yes'],
    writes: 'withoutIdempotencyKey',
    options: (command) => command.option(...yesOption),
    act: async (context, flags, [wanted = '']) => {
      const { credentials } = context.connection.client;
      const key = chooseCredential((await credentials.listApiKeys()).data, { noun: 'key', wanted });
      await confirmAction(
        context,
        flags,
        `Revoke the key ${key.name} (its secret ends in ${key.secretLast4}; ${key.status})? Programs that use it stop working.`,
      );
      await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'credentials.revokeApiKey',
        pathParameters: { clientId: key.clientId },
        body: {},
        send: async () => {
          await credentials.revokeApiKey(key.clientId);
          context.printer.note(`The key ${key.name} (${key.clientId}) is revoked.`);
        },
      });
    },
  });
}
