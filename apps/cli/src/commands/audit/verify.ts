import { type AuditEvent, type AuditHead, isAuditChainError, verifyAuditChain } from '@centavo/sdk';
import type { Command } from 'commander';
import { exitCodes } from '../../exit-codes.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { compareRecords, LastStates } from './compare-records.js';

/** The newest event that an earlier run verified. */
interface VerifiedHead {
  readonly sequence: number;
  readonly hash: string;
}

export function addAuditVerify(audit: Command, cli: Cli): void {
  defineCommand<{ readonly deep?: boolean }>(audit, cli, {
    usage: 'verify',
    summary: 'Use the hash chain to check that no event was changed or removed, except by redaction or retention',
    examples: ['centavo audit verify', 'centavo audit verify --deep'],
    options: (command) =>
      command.option('--deep', 'also compare movements, transfers and categories with their last event'),
    act: async (context, { deep = false }) => {
      const { printer, store } = context;
      const client = await context.clientInTracker();
      const { data: head, meta } = await client.auditEvents.head().withResponse();
      const trackerId = meta?.trackerId ?? '';
      const stored = (await store.read()).verifiedHeads?.[trackerId];
      const states = new LastStates();
      const headHashes = new HeadHashes(stored, head);
      const from = head.floorSequence === 0 ? undefined : { sequence: head.floorSequence, hash: head.floorHash };
      const events = client.auditEvents.list({ order: 'asc', limit: 200 });
      try {
        const verified = await verifyAuditChain(headHashes.watch(events, deep ? states : undefined), {
          trackerId,
          from,
        });
        const faults = [...headHashes.faults(verified), ...(deep ? await compareRecords(client, states) : [])];
        for (const fault of faults) await printer.printLine(fault);
        if (faults.length > 0) return exitCodes.failure;
        await store.update((profile) => ({
          ...profile,
          verifiedHeads: { ...profile.verifiedHeads, [trackerId]: verified },
        }));
        const removed =
          head.floorSequence === 0 ? '' : ` The server has removed the events up to ${head.floorSequence}.`;
        printer.note(
          `Verified the events up to ${verified.sequence}. The hash of event ${verified.sequence} is ${verified.hash}.${removed}`,
        );
        return exitCodes.ok;
      } catch (error) {
        if (!isAuditChainError(error)) throw error;
        await printer.printLine(error.message);
        return exitCodes.failure;
      }
    },
  });
}

/**
 * While the events are read, collects the hashes of two of them: the newest event that an earlier run verified, and the newest
 * event at the start of this run.
 */
class HeadHashes {
  readonly #stored: VerifiedHead | undefined;
  readonly #head: AuditHead;
  readonly #hashes = new Map<number, string>();

  constructor(stored: VerifiedHead | undefined, head: AuditHead) {
    this.#stored = stored;
    this.#head = head;
    // One of the two events may be the newest removed event. The list does not contain it, but the server reports its hash.
    this.#hashes.set(head.floorSequence, head.floorHash);
  }

  async *watch(events: AsyncIterable<AuditEvent>, states: LastStates | undefined): AsyncGenerator<AuditEvent> {
    for await (const event of events) {
      if (event.sequence === this.#stored?.sequence || event.sequence === this.#head.sequence) {
        this.#hashes.set(event.sequence, event.hash);
      }
      states?.add(event);
      yield event;
    }
  }

  /**
   * Returns a message for each of the two events that is missing from the list, or that has another hash there. Does not compare the
   * event of the earlier run if it is older than the newest event that retention has removed.
   * @param verified the last event of the list
   */
  faults(verified: VerifiedHead): string[] {
    const faults: string[] = [];
    const { sequence, hash } = this.#head;
    if (verified.sequence < sequence) {
      faults.push(
        `The list ends with event ${verified.sequence}, but the newest event is ${sequence} with the hash ${hash}.`,
      );
    } else if (sequence > 0 && this.#hashes.get(sequence) !== hash) {
      faults.push(
        `Event ${sequence} in the list does not have the hash ${hash}, which the server reported for its newest event.`,
      );
    }
    const stored = this.#stored;
    if (stored === undefined || stored.sequence < this.#head.floorSequence || stored.sequence === 0) return faults;
    if (this.#hashes.get(stored.sequence) !== stored.hash) {
      faults.push(
        `Event ${stored.sequence} no longer has the hash ${stored.hash}, which this profile verified earlier. The history was replaced.`,
      );
    }
    return faults;
  }
}
