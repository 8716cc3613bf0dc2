import { withoutFormatCharacters } from '@centavo/contracts/calls';
import { ConflictError, UsageError } from '../../errors.js';
import { type NamedRecord, normalizeName } from './choose-by-name.js';
import type { CommandContext } from './context.js';
import type { WriteFlags } from './flags.js';

/** Flags of a command that asks for confirmation. */
export interface ConfirmedFlags extends WriteFlags {
  readonly yes?: boolean;
}

/** The flag `--yes`, which answers a request for confirmation in advance. */
export const yesOption = ['--yes', 'do not ask for confirmation'] as const;

/** The flag `--yes` of a command that creates a record. It confirms that the new record may have the name of an existing one. */
export const yesToDuplicateName = ['--yes', 'create it even if the name exists already'] as const;

/**
 * Asks for confirmation of a change that cannot be undone, unless `--yes`, `--dry-run` or `--preview` is set.
 * @throws UsageError (exit 2) when the user declines, or the prompt is not interactive
 */
export async function confirmAction(context: CommandContext, flags: ConfirmedFlags, question: string): Promise<void> {
  if (flags.yes === true || flags.dryRun === true || flags.preview === true) return;
  if (!context.prompt.isInteractive) {
    throw new UsageError(
      `This needs a confirmation: ${question}`,
      'Add --yes, because the command cannot prompt (no terminal, or --no-input).',
    );
  }
  if (!(await context.prompt.confirm(question))) throw new UsageError('Nothing was changed.');
}

/**
 * Asks for confirmation before the command creates a second record with the same name, unless `--yes` is set. With
 * `--dry-run` or `--preview`, only prints a warning. The API allows equal names, but a second record with the same name
 * usually comes from a command that was entered twice. The server cannot detect the repetition, because the call has no
 * idempotency key, or a new key each time.
 * @throws ConflictError (exit 6) when the name is taken and the prompt is not interactive
 * @throws UsageError (exit 2) when the user declines
 */
export async function confirmNewName(
  context: CommandContext,
  flags: ConfirmedFlags,
  created: { noun: string; name: string; records: readonly NamedRecord[] },
): Promise<void> {
  const { noun, name, records } = created;
  // The API rejects a name with a control or format character, and its error message names the character to remove. So
  // there is nothing to confirm.
  if (/\p{Cc}/u.test(name) || withoutFormatCharacters(name) !== name) return;
  const existing = records.find(
    (record) => normalizeName(record.name) === normalizeName(name) && record.status !== 'archived',
  );
  if (existing === undefined || flags.yes === true) return;
  const message = `The ${noun} "${existing.name}" exists already (${existing.id}).`;
  if (flags.dryRun === true || flags.preview === true) {
    context.printer.warn(`${message} To create another one, add --yes.`);
    return;
  }
  if (!context.prompt.isInteractive)
    throw new ConflictError(message, 'Add --yes to create another one with this name.');
  if (!(await context.prompt.confirm(`${message} Create another one?`))) throw new UsageError('Nothing was created.');
}
