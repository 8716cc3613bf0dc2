import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { argv, execPath, platform } from 'node:process';
import type { ConfirmMode } from '@centavo/mcp';
import type { Scope } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { expiryAfter } from '../keys/read-grant.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { requireCurrentTrackerId } from '../shared/resolve-id.js';
import { withStepUp } from '../shared/step-up.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import {
  addServer,
  type ClientConfiguration,
  type ClientName,
  clientNames,
  configurationOf,
  hasServer,
  type ServerEntry,
} from './clients.js';

/** Flags of `centavo mcp`. The subcommand `install` has the same flags, and writes them into the configuration of the client. */
export interface McpFlags {
  readonly write?: boolean;
  readonly confirm: ConfirmMode;
}

interface InstallFlags extends WriteFlags, McpFlags {
  readonly print?: boolean;
  readonly expiresIn?: string;
  readonly code?: string;
}

/** The read scopes of an agent's key: all that the read tools need, except `audit:read`. */
const readScopes: readonly Scope[] = [
  'context:read',
  'trackers:read',
  'catalog:read',
  'accounts:read',
  'balances:read',
  'budgets:read',
  'movements:read',
  'changes:read',
];
const writeScopes: readonly Scope[] = ['catalog:write:tracker', 'budgets:write', 'movements:write', 'transfers:write'];

export function addMcpInstall(mcp: Command, cli: Cli): void {
  defineCommand<InstallFlags>(mcp, cli, {
    usage: 'install <client>',
    summary: 'Set up an MCP client: create a key for one tracker, and add the server "centavo" to its configuration',
    caller: 'user',
    examples: [
      'centavo mcp install claude-desktop --print --code 123456',
      'centavo mcp install cursor --write --tracker Household --dry-run',
    ],
    writes: 'withoutIdempotencyKey',
    options: (command) =>
      command
        .option('--print', 'print the configuration with its key, and write no file')
        .option('--expires-in <time>', 'how long the key is valid: 12h, 30d, 8w (default: 90d)')
        .option('--code <digits>', 'one-time code, if the server requires one'),
    act: async (context, flags, [name = '']) => {
      const client = requireClient(name);
      const { env } = context.io;
      const machine = { platform, home: env.HOME ?? homedir(), appData: env.APPDATA };
      const configuration = configurationOf(client, machine);
      const text = flags.print === true ? undefined : await readConfiguration(configuration);
      const secret = await createKey(context, flags, client);
      if (secret === undefined) return;
      const entry = entryOf(context, flags, secret);
      const { printer } = context;
      if (flags.print === true) {
        context.io.stdout.write(addServer(undefined, configuration.field, entry));
        printer.note(`Add this to ${configuration.file}. It contains a key, which is not shown again.`);
        return;
      }
      await replaceFile(configuration.file, addServer(text, configuration.field, entry));
      printer.note(`Added the server "centavo" to ${configuration.file}. Restart ${client}.`);
      printer.note('List and revoke its key with "centavo keys list" and "centavo keys revoke".');
      if (text !== undefined && hasServer(text, configuration.field)) {
        printer.warn(
          `The key of the earlier configuration may still be valid: find its id with "centavo keys list", and revoke it.`,
        );
      }
    },
  });
}

function requireClient(name: string): ClientName {
  const client = clientNames.find((known) => known === name);
  if (client !== undefined) return client;
  throw new UsageError(
    `The client "${name}" is unknown.`,
    `Use one of ${clientNames.join(', ')}. For another client, use one of these names with --print, and copy the printed configuration.`,
  );
}

/**
 * Returns the text of the configuration; undefined if the file does not exist. Runs before the key is created, so that
 * no key is created if the file cannot be read.
 */
async function readConfiguration({ file, field }: ClientConfiguration): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UsageError(`Cannot read ${file} (${error.code}).`, 'Correct its permissions, or use --print.');
  });
  try {
    addServer(text, field, { type: 'stdio', command: '', args: [], env: {} });
  } catch {
    throw new UsageError(`${file} is not plain JSON.`, 'Use --print, and add the server by hand.');
  }
  return text;
}

/** Creates the key of an agent. @returns the secret and the tracker of the key; undefined with --dry-run */
async function createKey(
  context: CommandContext,
  flags: InstallFlags,
  client: ClientName,
): Promise<{ secret: string; trackerId: string } | undefined> {
  const { connection } = context;
  const trackerId = await requireCurrentTrackerId(context);
  const { expiresIn } = flags;
  const body = {
    name: `mcp ${client}`,
    scopes: [...readScopes, ...(flags.write === true ? writeScopes : [])],
    access: { mode: 'selected' as const, trackerIds: [trackerId] },
    defaultTrackerId: trackerId,
    expiresAt: expiresIn === undefined ? undefined : expiryAfter(expiresIn, context.io.clock.nowMs()),
  };
  const key = await sendWriteWithoutIdempotencyKey(context, flags, {
    call: 'credentials.createApiKey',
    body,
    send: () => withStepUp(context, flags.code, () => connection.client.credentials.createApiKey(body)),
  });
  return key && { secret: key.secret, trackerId };
}

/**
 * Returns the entry with which the client starts `centavo mcp`. The entry names Node and the program by their paths, because
 * the PATH of a desktop client often does not contain their directories.
 */
function entryOf(
  { settings }: CommandContext,
  { write, confirm }: InstallFlags,
  { secret, trackerId }: { readonly secret: string; readonly trackerId: string },
): ServerEntry {
  const program = argv[1] === undefined ? [] : [argv[1]];
  return {
    type: 'stdio',
    command: execPath,
    args: [...program, 'mcp', ...(write === true ? ['--write', '--confirm', confirm] : [])],
    env: { CENTAVO_TOKEN: secret, CENTAVO_BASE_URL: settings.baseUrl, CENTAVO_TRACKER: trackerId },
  };
}

/** Replaces a file atomically. Only its owner can read the new file, because it contains a key. */
async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const next = `${file}.${randomUUID()}`;
  await writeFile(next, text, { mode: 0o600 });
  await rename(next, file);
}
