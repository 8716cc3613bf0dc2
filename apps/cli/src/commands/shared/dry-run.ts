import type { WriteFlags } from './define.js';
import type { Invocation } from './context.js';

/** A change of what is kept on this machine, as a dry run tells it. */
interface LocalChange {
  /** The profile that it concerns. */
  readonly profile: string;
  /** What it comes to, for people: `acts in Household`. */
  readonly change: string;
}

/**
 * With --dry-run, tells what a command would change of what is kept on this machine.
 * @returns whether that was asked for: then everything is told, and nothing may be changed
 */
export async function tellIfDryRun(
  { printer }: Invocation,
  flags: WriteFlags,
  { profile, change }: LocalChange,
): Promise<boolean> {
  if (flags.dryRun !== true) return false;
  printer.note('Dry run: nothing was changed.');
  await printer.printRecord(
    { dryRun: true, profile, change },
    {
      columns: [
        { header: 'PROFILE', value: (told) => told.profile },
        { header: 'CHANGE', value: (told) => told.change },
      ],
      fields: ['dryRun', 'profile', 'change'],
    },
  );
  return true;
}
