import type { CommandContext } from './context.js';
import type { WriteFlags } from './flags.js';

/** A change on this machine, as a dry run prints it. */
interface LocalChange {
  /** The profile that would change. */
  readonly profile: string;
  /** The change in words: `uses the tracker Household`. */
  readonly change: string;
}

/**
 * With --dry-run, prints what a command would change on this machine.
 * @returns whether --dry-run is set; if it is, the caller must not change anything
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
        { header: 'PROFILE', value: (row) => row.profile },
        { header: 'CHANGE', value: (row) => row.change },
      ],
      fields: ['dryRun', 'profile', 'change'],
    },
  );
  return true;
}

/** A write as a dry run prints it. */
export interface WriteRequest {
  /** The name of the call in the SDK. */
  readonly call: string;
  /** The ids in the path of the call. */
  readonly pathParameters?: object;
  readonly body: object;
}

/** Prints a write instead of sending it. */
export async function printDryRun(
  { printer }: CommandContext,
  { call, pathParameters = {}, body }: WriteRequest,
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
