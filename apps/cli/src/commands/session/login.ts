import { isAuthenticationError, type Session } from '@centavo/sdk';
import type { Command } from 'commander';
import { connectWithoutToken } from '../../client/connect.js';
import { withAdvice } from '../../errors.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { printIfDryRun } from '../shared/dry-run.js';
import { adviseIdentityProvider, type CredentialFlags, readEmail, readPassword } from './read-credentials.js';

/** `centavo login`: opens a session and stores it in the profile. Later commands use and renew it. */
export function addLogin(program: Command, cli: Cli): void {
  defineCommand<CredentialFlags>(program, cli, {
    usage: 'login',
    summary: 'Log in with e-mail and password, and store the session in the profile',
    examples: [
      'centavo login',
      'centavo login --email ana@example.com --password-stdin < password.txt',
      'centavo login --base-url https://money.example.com/v1/financial --profile work',
    ],
    writes: 'local',
    options: (command) =>
      command
        .option('--email <address>', 'the address to log in with')
        .option('--password-stdin', 'read the password from standard input'),
    act: logIn,
  });
}

async function logIn(context: CommandContext, flags: CredentialFlags): Promise<void> {
  const { settings, vault, io, printer, profileName } = context;
  const email = await readEmail(context, flags);
  const change = `opens and stores a session of ${email} at ${settings.baseUrl}`;
  if (await printIfDryRun(context, flags, { profile: profileName, change })) return;
  const password = await readPassword(context, flags, { repeated: false });
  const session = await withAdvice(
    connectWithoutToken(settings, io).identity.createSession({ email, password }),
    (error) => (isAuthenticationError(error) ? { remedy: checkCredentials } : adviseIdentityProvider(error)),
  );
  const keptIn = await vault.keep({ baseUrl: settings.baseUrl, email, ...pickStored(session) }, settings.secretStore);
  printer.note(`Logged in to ${settings.baseUrl} as ${email} (profile ${profileName}).`);
  if (keptIn !== settings.secretStore) await noteMissingKeychain(context);
  if (settings.token !== undefined) printer.warn('CENTAVO_TOKEN is set, and commands use it instead of this session.');
  if (printer.format === 'table') return;
  const record = { profile: profileName, baseUrl: settings.baseUrl, email, sessionId: session.sessionId, keptIn };
  await printer.printRecord(record, {
    columns: [],
    fields: ['profile', 'baseUrl', 'email', 'sessionId', 'keptIn'],
  });
}

/** Prints a note about the missing keychain once for each profile, at the first login without --quiet. */
async function noteMissingKeychain({ isQuiet, printer, store }: CommandContext): Promise<void> {
  if (isQuiet || (await store.read()).knowsOfMissingKeychain === true) return;
  printer.note(
    `This machine has no usable keychain. The session is in a file in ${store.directory} that only you can read. ` +
      'Set CENTAVO_SECRET_STORE=file to avoid this message.',
  );
  await store.update((profile) => ({ ...profile, knowsOfMissingKeychain: true }));
}

const checkCredentials = 'Check the e-mail address and the password; "centavo register" creates a user.';

function pickStored({ accessToken, expiresAt, refreshToken, refreshExpiresAt }: Session) {
  return { accessToken, expiresAt, refreshToken, refreshExpiresAt };
}
