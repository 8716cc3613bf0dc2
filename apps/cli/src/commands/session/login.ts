import { isAuthenticationError, type Session } from '@centavo/sdk';
import type { Command } from 'commander';
import { withAdvice } from '../../advised-error.js';
import { UsageError } from '../../cli-error.js';
import { connectWithoutToken } from '../../settings/connect.js';
import { readSecret } from '../../settings/read-secret.js';
import { addCommand, type Cli } from '../add-command.js';
import type { Invocation } from '../invocation.js';

interface LoginFlags {
  readonly email?: string;
  readonly passwordStdin?: boolean;
  readonly tokenStdin?: boolean;
}

/** `centavo login`: opens a session and keeps it in the profile, from where every later command renews it by itself. */
export function addLogin(program: Command, cli: Cli): void {
  addCommand<LoginFlags>(program, cli, {
    usage: 'login',
    summary: 'Log in with e-mail and password, and keep the session in the profile',
    examples: [
      'centavo login',
      'centavo login --email ana@example.com --password-stdin < password.txt',
      'centavo login --base-url https://money.example.com/v1/financial --profile work',
    ],
    options: (command) =>
      command
        .option('--email <address>', 'the address to log in with')
        .option('--password-stdin', 'read the password from standard input'),
    act: logIn,
  });
}

async function logIn(invocation: Invocation, flags: LoginFlags): Promise<void> {
  const { settings, vault, surroundings, printer, profileName } = invocation;
  if (flags.tokenStdin === true) {
    throw new UsageError('A login makes a session and takes no token.', 'Leave out --token-stdin.');
  }
  const email = flags.email ?? (await ask(invocation, { flag: '--email', put: (asker) => asker.askText('E-mail') }));
  const password =
    flags.passwordStdin === true
      ? await readSecret(surroundings.stdin, 'password')
      : await ask(invocation, { flag: '--password-stdin', put: (asker) => asker.askSecret('Password') });
  const session = await withAdvice(
    connectWithoutToken(settings, surroundings).identity.createSession({ email, password }),
    (error) => (isAuthenticationError(error) ? { remedy: 'Check the address and the password.' } : undefined),
  );
  const keptIn = await vault.keep({ baseUrl: settings.baseUrl, email, ...pickStored(session) }, settings.secretStore);
  printer.note(`Logged in to ${settings.baseUrl} as ${email} (profile ${profileName}).`);
  if (keptIn !== settings.secretStore) {
    printer.warn(
      `There is no keychain that works here: the session is in a file that only you can read, in ${invocation.store.directory}. ` +
        'CENTAVO_SECRET_STORE=file says that this is wanted.',
    );
  }
  if (settings.token !== undefined) printer.warn('CENTAVO_TOKEN is set and will be used instead of this session.');
  if (printer.format === 'table') return;
  const record = { profile: profileName, baseUrl: settings.baseUrl, email, sessionId: session.sessionId, keptIn };
  await printer.printRecord(record, {
    columns: [],
    fields: ['profile', 'baseUrl', 'email', 'sessionId', 'keptIn'],
  });
}

/** Without the rest of the answer, so that nothing is kept which is not needed. */
function pickStored({ accessToken, expiresAt, refreshToken, refreshExpiresAt }: Session) {
  return { accessToken, expiresAt, refreshToken, refreshExpiresAt };
}

async function ask(
  invocation: Invocation,
  question: { flag: string; put: (asker: Invocation['asker']) => Promise<string> },
): Promise<string> {
  if (invocation.asker.canAsk) return question.put(invocation.asker);
  throw new UsageError(`Nobody can be asked here, and ${question.flag} is missing.`, 'Give it, or use a terminal.');
}
