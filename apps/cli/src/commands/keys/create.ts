import type { CreateApiKeyInput } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../cli-error.js';
import { addCommand, type Cli, type WriteFlags } from '../add-command.js';
import { collect } from '../collect.js';
import type { Invocation } from '../invocation.js';
import { requireTrackerId } from '../record-ids.js';
import { sendUnkeyedWrite } from '../send-write.js';
import { withStepUp } from '../with-step-up.js';
import { expiryAfter } from './expiry-after.js';
import { keyView } from './key-view.js';

interface CreateKeyFlags extends WriteFlags {
  readonly scope: readonly string[];
  readonly allManaged?: boolean;
  readonly forTracker: readonly string[];
  readonly defaultTracker?: string;
  readonly expiresIn?: string;
  readonly code?: string;
}

/** `centavo keys create`: prints the secret once, alone on stdout in `table`, so that `KEY=$(…)` works. */
export function addKeysCreate(keys: Command, cli: Cli): void {
  addCommand<CreateKeyFlags>(keys, cli, {
    usage: 'create <name>',
    summary: 'Make an API key; its secret is printed once and never again',
    examples: [
      'centavo keys create import --scope movements:read --scope movements:write --for-tracker Household --code 123456',
      'centavo keys create backup --scope movements:read --all-managed --expires-in 30d',
    ],
    writes: 'unkeyed',
    options: (command) =>
      command
        .option('--scope <scope>', 'a right, such as movements:read; once for each', collect, [])
        .option('--all-managed', 'every tracker that you own or administer, now and later')
        .option('--for-tracker <tracker>', 'only this tracker, id or name; once for each', collect, [])
        .option('--default-tracker <tracker>', 'the tracker of requests that name none')
        .option('--expires-in <time>', 'hours, days or weeks: 12h, 30d, 8w (default: 90d)')
        .option('--code <digits>', 'one-time code, if the server asks for one'),
    act: createKey,
  });
}

async function createKey(invocation: Invocation, flags: CreateKeyFlags, [name = '']: readonly string[]): Promise<void> {
  const { client } = invocation.connection;
  const access = await readAccess(invocation, flags);
  const body: CreateApiKeyInput = {
    name,
    scopes: flags.scope as CreateApiKeyInput['scopes'],
    access,
    defaultTrackerId:
      flags.defaultTracker === undefined ? undefined : await requireTrackerId(client, flags.defaultTracker),
    expiresAt:
      flags.expiresIn === undefined ? undefined : expiryAfter(flags.expiresIn, invocation.surroundings.clock.nowMs()),
  };
  const key = await sendUnkeyedWrite(invocation, flags, {
    call: 'credentials.createApiKey',
    body,
    send: () => withStepUp(invocation, flags.code, () => client.credentials.createApiKey(body)),
  });
  if (key === undefined) return;
  if (invocation.printer.format === 'table') {
    invocation.printer.printText(key.secret);
    invocation.printer.note(
      `The key ${key.name} (${key.clientId}) ends on ${key.expiresAt}. Keep it: it is not shown again.`,
    );
    return;
  }
  await invocation.printer.printRecord(key, { columns: [], fields: [...keyView.fields, 'secret'] });
}

async function readAccess(invocation: Invocation, flags: CreateKeyFlags): Promise<CreateApiKeyInput['access']> {
  if ((flags.allManaged === true) === flags.forTracker.length > 0) {
    throw new UsageError(
      'Which trackers the key may use is not clear.',
      'Give --all-managed, or --for-tracker for each.',
    );
  }
  if (flags.allManaged === true) return { mode: 'all_managed' };
  const trackerIds: string[] = [];
  for (const tracker of flags.forTracker) {
    trackerIds.push(await requireTrackerId(invocation.connection.client, tracker));
  }
  return { mode: 'selected', trackerIds };
}
