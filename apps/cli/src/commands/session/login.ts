import { isAuthenticationError, type Session } from '@centavo/sdk';
import type { Command } from 'commander';
import { withAdvice } from '../../advised-error.js';
import { UsageError } from '../../cli-error.js';
import { connectWithoutToken } from '../../settings/connect.js';
import { addCommand, type Cli } from '../add-command.js';
import type { Invocation } from '../invocation.js';

interface LoginFlags {
  readonly email?: string;
  readonly passwordStdin?: boolean;
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
  const { settings, store, surroundings, printer } = invocation;
  const email = flags.email ?? (await ask(invocation, { flag: '--email', put: (asker) => asker.askText('E-mail') }));
  const password =
    flags.passwordStdin === true
      ? await readSecret(surroundings.stdin)
      : await ask(invocation, { flag: '--password-stdin', put: (asker) => asker.askSecret('Password') });
  const session = await withAdvice(
    connectWithoutToken(settings, surroundings).identity.createSession({ email, password }),
    (error) => (isAuthenticationError(error) ? { remedy: 'Check the address and the password.' } : undefined),
  );
  await store.update((profile) => ({
    ...profile,
    baseUrl: settings.baseUrl,
    session: { baseUrl: settings.baseUrl, email, ...pickStored(session) },
  }));
  printer.note(`Logged in to ${settings.baseUrl} as ${email} (profile ${invocation.profileName}).`);
  if (settings.token !== undefined) printer.warn('CENTAVO_TOKEN is set and will be used instead of this session.');
  if (printer.format === 'table') return;
  const record = { profile: invocation.profileName, baseUrl: settings.baseUrl, email, sessionId: session.sessionId };
  await printer.printRecord(record, { columns: [], fields: ['profile', 'baseUrl', 'email', 'sessionId'] });
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

/** A password may begin or end with spaces; only the line's end is not part of it. */
async function readSecret(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const secret = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError('There is no password on standard input.', 'Write it there, on one line.');
  return secret;
}
