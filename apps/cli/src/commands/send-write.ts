import type { WriteFlags } from './add-command.js';
import type { Invocation } from './invocation.js';

/**
 * Sends a write, or with --dry-run shows it. The key is made before anything is sent, so that Ctrl-C or a lost answer
 * can name it and the same intent be repeated safely.
 *
 * @returns the answer, or undefined after a dry run, which has printed what would have been sent
 */
export async function sendWrite<Answer>(
  invocation: Invocation,
  flags: WriteFlags,
  write: { call: string; body: object; send: (idempotencyKey: string) => PromiseLike<Answer> },
): Promise<Answer | undefined> {
  const idempotencyKey = flags.idempotencyKey ?? invocation.surroundings.makeId();
  if (flags.dryRun === true) {
    await printDryRun(invocation, { call: write.call, body: write.body, idempotencyKey });
    return undefined;
  }
  invocation.pendingKey = idempotencyKey;
  const answer = await write.send(idempotencyKey);
  invocation.pendingKey = undefined;
  return answer;
}

/** As {@link sendWrite}, for the calls on which the server keeps no key: a lost answer of theirs cannot be repeated. */
export async function sendUnkeyedWrite<Answer>(
  invocation: Invocation,
  flags: WriteFlags,
  write: { call: string; body: object; send: () => PromiseLike<Answer> },
): Promise<Answer | undefined> {
  if (flags.dryRun !== true) return write.send();
  await printDryRun(invocation, { call: write.call, body: write.body, idempotencyKey: null });
  return undefined;
}

interface PlannedWrite {
  readonly call: string;
  readonly body: object;
  readonly idempotencyKey: string | null;
}

async function printDryRun(invocation: Invocation, planned: PlannedWrite): Promise<void> {
  invocation.printer.note('Dry run: nothing was sent.');
  await invocation.printer.printRecord(
    { dryRun: true, ...planned },
    {
      columns: [
        { header: 'CALL', value: (write) => write.call },
        { header: 'BODY', value: (write) => JSON.stringify(write.body) },
        { header: 'IDEMPOTENCY KEY', value: (write) => write.idempotencyKey },
      ],
      fields: ['dryRun', 'call', 'body', 'idempotencyKey'],
    },
  );
}
