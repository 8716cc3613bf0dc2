import { canonicalAmount } from '@centavo/contracts/calls';
import { type FinancialClient, isPermissionError } from '@centavo/sdk';
import type { StatementTransaction } from '@centavo/statement-reader';
import type { TargetAccount } from '../accounts.js';
import { isVoided, listWithVoided } from './voided-movements.js';

/** One side of a transfer. */
interface TransferLeg {
  readonly amountDecimal: string;
  readonly occurredOn: string;
}

/**
 * The transfers of the tracker. The import uses them to recognize rows that are already one side of a recorded transfer. An
 * imported transfer is made from two rows, and its idempotency key depends on both. But a later export may contain only one
 * of these rows, for example if it covers one month, and the other row is in the next month. Or the later import may run
 * without `--pair-transfers`. In both cases, the transfer cannot be found by its key. Without this class, the row would be
 * recorded a second time.
 *
 * A row matches a leg (one side of a transfer) if both have the same account and one of these is true:
 *
 * - The description of the leg ends with a mark ({@link writeTransferMark}) that contains the beginning of the row's key.
 * - The row is from an export of Centavo, and has the `transferGroupId` of the leg.
 *
 * Equal direction, amount, day and text are not enough: a cheque may have the same values as a transfer that was entered by
 * hand. If the row of this cheque matched the transfer, the cheque would not be recorded.
 */
export class RecordedTransfers {
  /** The legs, by `legId`: the account together with the beginning of the row's key, or together with the transfer group. */
  readonly #legs: ReadonlyMap<string, TransferLeg>;
  /** The beginnings of the keys of all rows that were imported as transfers. */
  readonly #keyBeginnings: ReadonlySet<string>;

  private constructor(legs: ReadonlyMap<string, TransferLeg>, keyBeginnings: ReadonlySet<string>) {
    this.#legs = legs;
    this.#keyBeginnings = keyBeginnings;
  }

  /**
   * Reads all transfers of the tracker.
   * @param options.withVoided whether to read voided transfers too, so that their rows do not become movements
   * @returns undefined if the credential may not read movements
   */
  static async load(
    client: FinancialClient,
    { withVoided }: { withVoided: boolean },
  ): Promise<RecordedTransfers | undefined> {
    const legs = new Map<string, TransferLeg>();
    const keyBeginnings = new Set<string>();
    const filters = { kind: 'transfer', limit: 200 } as const;
    try {
      for await (const leg of await (withVoided ? listWithVoided(client, filters) : client.movements.list(filters))) {
        const found = { amountDecimal: canonicalAmount(leg.amountDecimal), occurredOn: leg.occurredOn };
        // If a voided transfer was recorded again with the same mark, the new transfer takes precedence.
        const add = (id: string) => (isVoided(leg) && legs.has(id) ? undefined : legs.set(id, found));
        if (leg.transferGroupId !== null) add(legId(leg.accountId, leg.transferGroupId));
        const mark = readTransferMark(leg.description);
        if (mark === undefined) continue;
        const beginning = leg.type === 'expense' ? mark.outgoing : mark.incoming;
        add(legId(leg.accountId, beginning));
        keyBeginnings.add(beginning);
      }
    } catch (error) {
      if (isPermissionError(error) && error.code === 'INSUFFICIENT_SCOPE') return undefined;
      throw error;
    }
    return new RecordedTransfers(legs, keyBeginnings);
  }

  static none(): RecordedTransfers {
    return new RecordedTransfers(new Map(), new Set());
  }

  /**
   * Returns the leg that a row matches, or undefined if the row matches none. The leg and the row may have different days.
   * They may also have different amounts, for example because the earlier import interpreted the file differently, or
   * because the bank has used the id of the row for another transaction.
   */
  findLeg({ transaction, target, key }: RowWithKey): TransferLeg | undefined {
    if (target.id === null) return undefined;
    const { transferGroupId: group } = transaction;
    const ofGroup = group === undefined ? undefined : this.#legs.get(legId(target.id, group));
    if (ofGroup !== undefined || key === null) return ofGroup;
    return this.#legs.get(legId(target.id, keyBeginning(key)));
  }

  /**
   * Returns whether a row with this key was imported as a leg of a transfer. If so, the caller counts the rows of the file that
   * are equal to this row, because the key of each of them depends on the number of earlier equal rows.
   */
  hasKey(key: string): boolean {
    return this.#keyBeginnings.has(keyBeginning(key));
  }
}

interface RowWithKey {
  readonly transaction: StatementTransaction;
  readonly target: TargetAccount;
  readonly key: string | null;
}

function legId(accountId: string, keyBeginningOrGroup: string): string {
  return `${accountId} ${keyBeginningOrGroup}`;
}

/** The beginnings of the keys of the two rows from which a transfer was created. */
interface TransferMark {
  readonly outgoing: string;
  readonly incoming: string;
}

/**
 * Creates the mark that ends the description of an imported transfer, such as `[import 1a2b3c4d5e6f 7a8b9c0d1e2f]`. It
 * contains the beginnings of the keys of the outgoing and the incoming row. The mark is in the description because it must
 * be stored with both movements of the transfer, and other machines must be able to read it. Transfers entered by hand
 * have no mark.
 */
export function writeTransferMark(outgoingKey: string, incomingKey: string): string {
  return `[import ${keyBeginning(outgoingKey)} ${keyBeginning(incomingKey)}]`;
}

/** Returns the text of a row or movement without its mark. A row that was exported from a tracker may have a mark. */
export function withoutTransferMark(text: string): string {
  return text.replace(markPattern, '').trimEnd();
}

/** Returns the mark in the description of a transfer; undefined for a transfer that was not imported. */
function readTransferMark(description: string | null): TransferMark | undefined {
  const [, outgoing, incoming] = markPattern.exec(description ?? '') ?? [];
  return outgoing === undefined || incoming === undefined ? undefined : { outgoing, incoming };
}

/**
 * Returns the part of a row's key that a mark contains: the first 12 of 64 hexadecimal digits. False matches are
 * rare: if a million rows are imported into a tracker with ten thousand transfers, the probability of any false match is below
 * 1 in 14,000. This bound ignores that a match also requires the same account.
 */
function keyBeginning(key: string): string {
  return key.slice(0, 12);
}

const markPattern = /\[import ([0-9a-f]{12}) ([0-9a-f]{12})\]$/;
