import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { withStepUp } from '../shared/step-up.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { printSecret } from './credential-view.js';
import { addGrantFlags, type GrantFlags, readGrant } from './read-grant.js';

export function addKeysCreate(keys: Command, cli: Cli): void {
  defineCommand<GrantFlags>(keys, cli, {
    usage: 'create <name>',
    summary: 'Create an API key; its secret is printed once',
    examples: [
      'centavo keys create import --scope movements:read --scope movements:write --for-tracker Household --code 123456',
      'centavo keys create backup --scope movements:read --all-managed --expires-in 30d',
    ],
    writes: 'withoutIdempotencyKey',
    options: addGrantFlags,
    act: async (context, flags, [name = '']) => {
      const { access, ...grant } = await readGrant(context, flags, name);
      if (access === undefined) {
        throw new UsageError(
          'The command does not say which trackers the key may use.',
          'Add --all-managed, or --for-tracker for each tracker.',
        );
      }
      const body = { ...grant, access };
      const key = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'credentials.createApiKey',
        body,
        send: () => withStepUp(context, flags.code, () => context.connection.client.credentials.createApiKey(body)),
      });
      if (key !== undefined) await printSecret(context.printer, key, 'key');
    },
  });
}
