import { ConflictError, UsageError } from '../../errors.js';
import { withoutFormatCharacters } from '../../statements/tidy-text.js';
import type { WriteFlags } from './flags.js';
import { foldCase, type NamedRecord } from './choose-by-name.js';
import type { CommandContext } from './context.js';

/** Flags of a command that asks before it acts. */
export interface ConfirmedFlags extends WriteFlags {
  readonly yes?: boolean;
}

/** The flag that answers beforehand. */
export const yesOption = ['--yes', 'do it without asking'] as const;

/** The same for a second record of a name. */
export const yesToDuplicateName = ['--yes', 'also if there is one of this name already'] as const;

/**
 * Has a person confirm what cannot be taken back. `--yes` has confirmed it, and a dry run does nothing.
 * @throws UsageError (exit 2) when it is not confirmed, or nobody can be asked
 */
export async function confirmAction(context: CommandContext, flags: ConfirmedFlags, question: string): Promise<void> {
  if (flags.yes === true || flags.dryRun === true) return;
  if (!context.prompt.isInteractive) {
    throw new UsageError(`This has to be confirmed: ${question}`, 'Add --yes; nobody can be asked here.');
  }
  if (!(await context.prompt.confirm(question))) throw new UsageError('Nothing was changed.');
}

/**
 * Has a person confirm a second record of a name, which the API allows and hardly anybody means: a command that is typed
 * twice would make two, because the server keeps no key for it, or each time is sent another one.
 * @throws ConflictError (exit 6) when there is one and nobody can be asked
 */
export async function confirmNewName(
  context: CommandContext,
  flags: ConfirmedFlags,
  created: { noun: string; name: string; records: readonly NamedRecord[] },
): Promise<void> {
  const { noun, name, records } = created;
  // The API refuses such a name, and its answer says which character to remove.
  if (/\p{Cc}/u.test(name) || withoutFormatCharacters(name) !== name) return;
  const namesake = records.find((record) => foldCase(record.name) === foldCase(name) && record.status !== 'archived');
  if (namesake === undefined || flags.yes === true) return;
  const isThere = `The ${noun} "${namesake.name}" is there already (${namesake.id}).`;
  if (flags.dryRun === true) {
    context.printer.warn(`${isThere} Another one needs --yes.`);
    return;
  }
  if (!context.prompt.isInteractive) throw new ConflictError(isThere, 'Add --yes to make another one of this name.');
  if (!(await context.prompt.confirm(`${isThere} Make another one?`))) throw new UsageError('Nothing was made.');
}
