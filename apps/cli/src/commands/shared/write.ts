import type { WriteFlags } from './define.js';
import type { Invocation } from './context.js';

/**
 * Sends a write, or with --dry-run shows it. The key is made before anything is sent, so that Ctrl-C or a lost answer
 * can name it and the same intent be repeated safely.
 *
 * @returns the answer, or undefined after a dry run, which has printed what would have been sent
 */
export async function sendWrite<Answer>(
  invocation: Invocation,
  flags: WriteFlags,
  write: SentWrite & { send: (idempotencyKey: string) => PromiseLike<Answer> },
): Promise<Answer | undefined> {
  const idempotencyKey = flags.idempotencyKey ?? invocation.surroundings.makeId();
  if (flags.dryRun === true) {
    await printDryRun(invocation, write, idempotencyKey);
    return undefined;
  }
  const answer = await write.send(idempotencyKey);
  invocation.pendingKey = undefined;
  return answer;
}

/** As {@link sendWrite}, for the calls on which the server keeps no key: a lost answer of theirs cannot be repeated. */
export async function sendUnkeyedWrite<Answer>(
  invocation: Invocation,
  flags: WriteFlags,
  write: SentWrite & { send: () => PromiseLike<Answer> },
): Promise<Answer | undefined> {
  if (flags.dryRun !== true) return write.send();
  await printDryRun(invocation, write, null);
  return undefined;
}

/** A write as a dry run shows it. */
interface SentWrite {
  /** The SDK's name of the call. */
  readonly call: string;
  /** The ids in its path, where it has any. */
  readonly pathParameters?: object;
  readonly body: object;
}

async function printDryRun(
  { printer }: Invocation,
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
