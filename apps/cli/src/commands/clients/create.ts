import type { Command } from 'commander';
import { printSecret } from '../keys/credential-view.js';
import { addGrantFlags, type GrantFlags, readGrant } from '../keys/read-grant.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { withStepUp } from '../shared/step-up.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

export function addClientsCreate(clients: Command, cli: Cli): void {
  defineCommand<GrantFlags>(clients, cli, {
    usage: 'create <name>',
    summary:
      'Create an integration client for all your trackers, or only for those that --all-managed or --for-tracker selects; its secret is printed once',
    examples: [
      'centavo clients create assistant --scope movements:read --scope budgets:read',
      'centavo clients create sync --scope movements:write --for-tracker Household --expires-in 30d',
    ],
    writes: 'withoutIdempotencyKey',
    options: addGrantFlags,
    act: async (context, flags, [name = '']) => {
      const { credentials } = context.connection.client;
      const body = await readGrant(context, flags, name);
      const created = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'credentials.createIntegrationClient',
        body,
        send: () => withStepUp(context, flags.code, () => credentials.createIntegrationClient(body)),
      });
      if (created !== undefined) await printSecret(context.printer, created, 'client');
    },
  });
}
