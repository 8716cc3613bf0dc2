import type { RotateApiKeyInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { chooseCredential } from '../shared/resolve-id.js';
import { withStepUp } from '../shared/step-up.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { printSecret } from './credential-view.js';
import { expiryAfter } from './read-grant.js';

interface RotateKeyFlags extends WriteFlags {
  readonly name?: string;
  readonly expiresIn?: string;
  readonly code?: string;
}

/**
 * `centavo keys rotate`: creates a key with the rights of an existing key. The old key keeps working, so that programs can
 * switch to the new key before the user revokes the old key.
 */
export function addKeysRotate(keys: Command, cli: Cli): void {
  defineCommand<RotateKeyFlags>(keys, cli, {
    usage: 'rotate <key>',
    summary:
      'Create a key with the rights of another key (id, name or last four characters of the secret); the old key works until it expires or is revoked',
    examples: ['centavo keys rotate import --code 123456', 'centavo keys rotate x7Qa --expires-in 30d --name import-2'],
    writes: 'withoutIdempotencyKey',
    options: (command) =>
      command
        .option('--name <name>', 'name of the new key (default: the name of the old key)')
        .option('--expires-in <time>', 'hours, days or weeks: 12h, 30d, 8w (default: 90d)')
        .option('--code <digits>', 'one-time code, if the server requires one'),
    act: async (context, flags, [wanted = '']) => {
      const { credentials } = context.connection.client;
      const old = chooseCredential((await credentials.listApiKeys()).data, { noun: 'key', wanted });
      const { expiresIn } = flags;
      const body: RotateApiKeyInput = {
        name: flags.name,
        expiresAt: expiresIn === undefined ? undefined : expiryAfter(expiresIn, context.io.clock.nowMs()),
      };
      const key = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'credentials.rotateApiKey',
        pathParameters: { clientId: old.clientId },
        body,
        send: () => withStepUp(context, flags.code, () => credentials.rotateApiKey(old.clientId, body)),
      });
      if (key === undefined) return;
      await printSecret(context.printer, key, 'key');
      context.printer.note(
        `The old key still works. When no program uses it any more, run: centavo keys revoke ${old.clientId}`,
      );
    },
  });
}
