import { UsageError } from '../../errors.js';
import { readSecret } from '../../io.js';
import type { WriteFlags } from '../shared/flags.js';
import type { CommandContext } from '../shared/context.js';
import { isNotFoundError } from '@centavo/sdk';

/** Flags of the commands that take e-mail and password. */
export interface CredentialFlags extends WriteFlags {
  readonly email?: string;
  readonly passwordStdin?: boolean;
  readonly tokenStdin?: boolean;
}

/**
 * The address of `--email`, else the one that a person types.
 * @throws UsageError (exit 2) where nobody can be asked; so does {@link readPassword}
 */
export async function readEmail(context: CommandContext, flags: CredentialFlags): Promise<string> {
  if (flags.tokenStdin === true) {
    throw new UsageError('This takes a password and no token.', 'Leave out --token-stdin.');
  }
  return flags.email ?? ask(context, { flag: '--email', put: (prompt) => prompt.text('E-mail') });
}

/**
 * The password on standard input with `--password-stdin`, else the one that a person types; never one of the command line,
 * which every user of a machine can read.
 * @param repeated whether it is new, and typed twice, because it is not shown
 */
export async function readPassword(
  context: CommandContext,
  flags: CredentialFlags,
  { repeated }: { repeated: boolean },
): Promise<string> {
  if (flags.passwordStdin === true) return readSecret(context.io.stdin, 'password');
  const flag = '--password-stdin';
  const password = await ask(context, { flag, put: (prompt) => prompt.secret('Password') });
  if (!repeated || (await context.prompt.secret('Password once more')) === password) return password;
  throw new UsageError('The two passwords differ, and nothing was sent.', 'Repeat the command.');
}

async function ask(
  context: CommandContext,
  question: { flag: string; put: (prompt: CommandContext['prompt']) => Promise<string> },
): Promise<string> {
  if (context.prompt.isInteractive) return question.put(context.prompt);
  throw new UsageError(`Nobody can be asked here, and ${question.flag} is missing.`, 'Give it, or use a terminal.');
}

/** What to do where the server has no users of its own, and so not the calls that make and log in one (decision 0016). */
export function adviseOwnProvider(error: unknown): { message: string; remedy: string } | undefined {
  if (!isNotFoundError(error)) return undefined;
  return {
    message: 'This server has no users of its own: they are at its identity provider.',
    remedy: 'Log in there, and give the access token in CENTAVO_TOKEN or to --token-stdin.',
  };
}
