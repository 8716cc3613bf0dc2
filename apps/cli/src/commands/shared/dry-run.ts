import type { WriteFlags } from './flags.js';
import type { CommandContext } from './context.js';

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
export async function printIfDryRun(
  { printer }: CommandContext,
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

/** A write as a dry run shows it. */
export interface SentWrite {
  /** The SDK's name of the call. */
  readonly call: string;
  /** The ids in its path, where it has any. */
  readonly pathParameters?: object;
  readonly body: object;
}

/** Prints a write instead of sending it. */
export async function printDryRun(
  { printer }: CommandContext,
  { call, pathParameters = {}, body }: SentWrite,
  idempotencyKey: string | null,
): Promise<void> {
  printer.note('Dry run: nothing was sent.');
  await printer.printRecord(
    { dryRun: true, call, pathParameters, body, idempotencyKey },
    {
      columns: [
        { header: 'CALL', value: (write) => write.call },
        ...(Object.keys(pathParameters).length === 0
          ? []
          : [{ header: 'PATH', value: () => JSON.stringify(pathParameters) }]),
        { header: 'BODY', value: (write) => JSON.stringify(write.body) },
        { header: 'IDEMPOTENCY KEY', value: (write) => write.idempotencyKey },
      ],
      fields: ['dryRun', 'call', 'pathParameters', 'body', 'idempotencyKey'],
    },
  );
}
