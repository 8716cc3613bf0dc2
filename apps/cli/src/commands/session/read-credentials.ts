import { isNotFoundError } from '@centavo/sdk';
import { UsageError } from '../../errors.js';
import { readSecret } from '../../io.js';
import type { CommandContext } from '../shared/context.js';
import type { WriteFlags } from '../shared/flags.js';

/** Flags of the commands that need an e-mail address and a password. */
export interface CredentialFlags extends WriteFlags {
  readonly email?: string;
  readonly passwordStdin?: boolean;
  readonly tokenStdin?: boolean;
}

/**
 * Returns the e-mail address from `--email`. Without this flag, prompts for the address.
 * @throws UsageError (exit 2) when `--token-stdin` is set, because the command needs a password instead of a token
 * @throws UsageError (exit 2) when `--email` is missing and the prompt is not interactive
 */
export async function readEmail(context: CommandContext, flags: CredentialFlags): Promise<string> {
  if (flags.tokenStdin === true) {
    throw new UsageError('This command needs a password, not a token.', 'Remove --token-stdin.');
  }
  return flags.email ?? promptFor(context, { flag: '--email', answer: (prompt) => prompt.text('E-mail') });
}

/**
 * Returns the password from standard input with `--password-stdin`, otherwise from the prompt. There is no flag for the
 * password, because every user of a machine can read command lines.
 * @param options.repeated whether the prompt asks for the password twice. This detects typing errors, which the user cannot
 *   see because the prompt does not show the typed text
 * @throws UsageError (exit 2) when there is no password, or when the two passwords differ
 */
export async function readPassword(
  context: CommandContext,
  flags: CredentialFlags,
  { repeated }: { repeated: boolean },
): Promise<string> {
  if (flags.passwordStdin === true) return readSecret(context.io.stdin, 'password');
  const flag = '--password-stdin';
  const password = await promptFor(context, { flag, answer: (prompt) => prompt.secret('Password') });
  if (!repeated || (await context.prompt.secret('Password once more')) === password) return password;
  throw new UsageError('The two passwords differ. Nothing was sent.', 'Repeat the command.');
}

/** Prompts for a value. @throws UsageError (exit 2), which names `question.flag`, when the command cannot prompt */
async function promptFor(
  context: CommandContext,
  question: { flag: string; answer: (prompt: CommandContext['prompt']) => Promise<string> },
): Promise<string> {
  if (context.prompt.isInteractive) return question.answer(context.prompt);
  throw new UsageError(
    `${question.flag} is missing, and the command cannot prompt (no terminal, or --no-input).`,
    `Add ${question.flag}.`,
  );
}

/**
 * Returns the advice to log in at the external identity provider if the error is a 404, otherwise undefined. A server with
 * such a provider returns 404, because it has no operations for users (decision 0016).
 */
export function adviseIdentityProvider(error: unknown): { message: string; remedy: string } | undefined {
  if (!isNotFoundError(error)) return undefined;
  return {
    message: 'Users of this server log in at its identity provider.',
    remedy: 'Log in there, and pass the access token in CENTAVO_TOKEN or with --token-stdin.',
  };
}
