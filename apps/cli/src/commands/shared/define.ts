import type { Command } from 'commander';
import { InterruptedError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { restrictPermissions } from '../../config/profiles.js';
import type { GlobalFlags } from '../../config/settings.js';
import type { Io } from '../../io.js';
import { explainRefusal } from './explain-refusal.js';
import { createContext, type CommandContext } from './context.js';

/** The program while it runs: the world around it, and the code that its one command ends with. */
export interface Cli {
  readonly io: Io;
  exitCode: ExitCode;
}

/** What the help tells of a command. */
export interface CommandDescription {
  /** Verb and arguments: `create <name>`. */
  readonly usage: string;
  readonly summary: string;
  /** Complete command lines, at least one. */
  readonly examples: readonly [string, ...string[]];
  /**
   * What it changes. `keyed` writes take --dry-run and --idempotency-key, `unkeyed` ones (the server keeps no key for
   * them) --dry-run; so do `local` ones, which change what is kept on this machine.
   */
  readonly writes?: 'keyed' | 'unkeyed' | 'local';
  options?(command: Command): Command;
}

/** One command, as its file declares it. */
export interface CommandDefinition<Flags> extends CommandDescription {
  /** `own`: the command stops by itself on Ctrl-C and has something to say first. */
  readonly interruption?: 'own';
  /** `user`: what it does takes a user session; a key is refused, whatever its scopes. */
  readonly caller?: 'user';
  /** @returns the exit code, when it is not 0 */
  act(context: CommandContext, flags: Flags, args: readonly string[]): Promise<ExitCode> | Promise<void>;
}

/** Puts a command under its noun, with its examples in the help. */
export function defineCommand<Flags>(noun: Command, cli: Cli, declaration: CommandDefinition<Flags>): void {
  const command = describeCommand(noun, declaration);
  command.action(async (...parameters: unknown[]) => {
    const args = command.processedArgs.filter((argument): argument is string => typeof argument === 'string');
    const flags = (parameters.at(-1) as Command).optsWithGlobals<GlobalFlags & Flags>();
    const context = await createContext(cli.io, flags);
    const { store, sources, printer } = context;
    const exposure = await restrictPermissions(store, { profile: sources.profile, platform: process.platform });
    if (exposure !== undefined) printer.warn(exposure);
    const acting: Promise<unknown> = declaration.act(context, flags, args).catch((error: unknown) => {
      throw explainRefusal(error, { command, context, isForUsers: declaration.caller === 'user' });
    });
    const code = await (declaration.interruption === 'own'
      ? acting
      : untilInterrupted(acting, cli, () => context.pendingKey));
    cli.exitCode = (code as ExitCode | undefined) ?? exitCodes.ok;
  });
}

/** Puts a command under its noun without what it does: for the few that must work where settings are broken. */
export function describeCommand(noun: Command, description: CommandDescription): Command {
  const command = noun.command(description.usage).description(description.summary);
  description.options?.(command);
  if (description.writes === 'local') command.option('--dry-run', 'show what would be changed, and change nothing');
  else if (description.writes !== undefined) command.option('--dry-run', 'show what would be sent, and send nothing');
  if (description.writes === 'keyed') {
    command.option('--idempotency-key <key>', 'repeat an earlier try safely under its key');
  }
  const examples = description.examples.map((example) => `  $ ${example}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${examples}`);
}

/** Ctrl-C ends most commands at once; a write under way then names its key, because it may still be recorded. */
export async function untilInterrupted<Result>(
  acting: Promise<Result>,
  { io: { interruption } }: Cli,
  pendingKey: () => string | undefined = () => undefined,
): Promise<Result> {
  let stopListening = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(new InterruptedError(pendingKey()));
    if (interruption.aborted) onAbort();
    interruption.addEventListener('abort', onAbort);
    stopListening = () => interruption.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([acting, interrupted]);
  } finally {
    stopListening();
  }
}
