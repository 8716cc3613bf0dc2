import { type Command, Option } from 'commander';
import { restrictPermissions } from '../../config/profiles.js';
import type { GlobalFlags } from '../../config/settings.js';
import { InterruptedError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import type { Io } from '../../io.js';
import { type CommandContext, createContext } from './context.js';
import { explainRefusal } from './explain-refusal.js';

/** One run of the program: its input and output, and the exit code of its command. */
export interface Cli {
  readonly io: Io;
  exitCode: ExitCode;
}

/** The description of a command in the help. */
export interface CommandDescription {
  /** Verb and arguments: `create <name>`. */
  readonly usage: string;
  readonly summary: string;
  /** Complete command lines, at least one. */
  readonly examples: readonly [string, ...string[]];
  /**
   * The kind of change. `withIdempotencyKey`: a write to the server with an idempotency key. `withoutIdempotencyKey`: a write to the
   * server without a key. `local`: a change on this machine. All three have the flag --dry-run, and writes with an idempotency key
   * also have --idempotency-key. Undefined for all other commands.
   */
  readonly writes?: 'withIdempotencyKey' | 'withoutIdempotencyKey' | 'local';
  /** Whether the command has the flag --preview, with which the server tries the write without recording it. */
  readonly hasPreview?: true;
  options?(command: Command): Command;
}

/** The description of a group of commands in the help. */
export interface GroupDescription {
  readonly name: string;
  /** A few words for the list of all commands. */
  readonly summary: string;
  /** The purpose of the group, in two sentences. */
  readonly description: string;
  /** Complete command lines of the group's commands. */
  readonly examples: readonly [string, string];
}

/** One command, as its module defines it. */
export interface CommandDefinition<Flags> extends CommandDescription {
  /** `own`: the command handles Ctrl-C itself, and prints a message before it stops. */
  readonly interruption?: 'own';
  /** `user`: the command needs a user session; the server rejects every API key. */
  readonly caller?: 'user';
  /** @returns the exit code; undefined means 0 */
  act(context: CommandContext, flags: Flags, args: readonly string[]): Promise<ExitCode> | Promise<void>;
}

/** Adds a command to its group, and its examples to the help. Returns the command. */
export function defineCommand<Flags>(parent: Command, cli: Cli, declaration: CommandDefinition<Flags>): Command {
  const command = describeCommand(parent, declaration);
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
  return command;
}

/**
 * Adds a command without an action. The caller adds the action. A command that must work with invalid settings uses this
 * function, because {@link defineCommand} reads the settings before the action.
 */
export function describeCommand(parent: Command, description: CommandDescription): Command {
  const command = parent.command(description.usage).description(description.summary);
  description.options?.(command);
  if (description.writes === 'local') command.option('--dry-run', 'show what would be changed, and change nothing');
  else if (description.writes !== undefined) command.option('--dry-run', 'show what would be sent, and send nothing');
  if (description.hasPreview === true) {
    const preview = new Option('--preview', 'show the result and the changed balances, and record nothing');
    command.addOption(preview.conflicts('dryRun'));
  }
  if (description.writes === 'withIdempotencyKey') {
    command.option('--idempotency-key <key>', 'the key of an earlier attempt, to repeat that attempt safely');
  }
  return addExamples(command, description.examples);
}

/** Adds a group, to which the caller adds the commands. */
export function describeGroup(program: Command, description: GroupDescription): Command {
  const { name, summary, examples } = description;
  return addExamples(program.command(name).summary(summary).description(description.description), examples);
}

function addExamples(command: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ ${example}`);
  return command.addHelpText('after', ['\nExamples:', ...lines].join('\n'));
}

/**
 * Waits until the command ends or the user presses Ctrl-C.
 * @throws InterruptedError (exit 130) after Ctrl-C. The error has the idempotency key of a write in progress, because the
 *   server may still record the write
 */
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
