import { hashOf } from '../repeated-ids.js';
import type { StatementRow } from '../statement.js';
import { identityOf } from '../survey-accounts.js';
import type { OfxEntry } from './entries.js';
import type { OfxFields } from './records.js';

type TransactionEntry = Extract<OfxEntry, { kind: 'transaction' }>;

/**
 * The rows of one account that have the same id, and the rows that correct the transaction with this id (CORRECTFITID). Copies of a row
 * in several statements count as one row.
 */
interface Correction {
  corrected: RowGroup | undefined;
  correcting:
    | (RowGroup & { readonly id: string | undefined; readonly line: number; readonly action: string })
    | undefined;
  /** The reason why it is unclear which row is valid; undefined if it is clear. */
  problem: string | undefined;
}

/** A row and its copies in other statements. */
interface RowGroup {
  /** A hash of the content of the row. */
  readonly content: number;
  /** The number of the last statement that has the row. */
  statement: number;
}

/**
 * Resolves corrections within a file: a transaction with CORRECTFITID replaces or deletes the transaction with this FITID. If the same
 * account of the file has the corrected transaction, that one is skipped, as is a transaction that deletes it. If it is unclear which of
 * the two is valid, both fail. If the file does not have the corrected transaction, the correcting one fails, because only the user can
 * correct the movement.
 *
 * Call `watch`, and read all its entries. Then call `find`. Then `decide` returns the outcome of each row.
 */
export class Corrections {
  readonly #ignoresIds: boolean;
  /** The corrections by the account and id of the corrected transaction; at most 100,000. */
  readonly #corrections = new Map<string, Correction>();

  /** @param options.ignoresIds whether an option says that the ids of the file have no meaning outside the file */
  constructor({ ignoresIds }: { readonly ignoresIds: boolean }) {
    this.#ignoresIds = ignoresIds;
  }

  /** Yields the entries unchanged, and collects the ids of the corrected transactions. */
  async *watch(entries: AsyncIterable<OfxEntry>): AsyncGenerator<OfxEntry> {
    for await (const entry of entries) {
      const id = entry.kind === 'transaction' ? correctedIdOf(entry) : undefined;
      if (id !== undefined && this.#corrections.size < correctionsMax) {
        const problem = this.#ignoresIds ? '--id-column "" ignores the ids of the file' : undefined;
        this.#corrections.set(keyOf(entry, id), { corrected: undefined, correcting: undefined, problem });
      }
      yield entry;
    }
  }

  /**
   * Finds the corrected rows. Reads no entry if no row corrects another.
   * @param readRow reads a row as if it corrected no other row
   */
  async find(read: () => AsyncIterable<OfxEntry>, readRow: (entry: TransactionEntry) => StatementRow): Promise<void> {
    if (this.#corrections.size === 0) return;
    let statement = 0;
    for await (const entry of read()) {
      if (entry.kind === 'end') statement += 1;
      if (entry.kind === 'transaction' && !entry.isPending) this.#add(entry, { statement, readRow });
    }
  }

  #add(entry: TransactionEntry, at: { statement: number; readRow: (entry: TransactionEntry) => StatementRow }): void {
    const { line, fields } = entry;
    const id = fields.get('FITID');
    const correctedId = correctedIdOf(entry);
    const asCorrected = id === undefined || id === correctedId ? undefined : this.#corrections.get(keyOf(entry, id));
    const asCorrecting = correctedId === undefined ? undefined : this.#corrections.get(keyOf(entry, correctedId));
    if (asCorrected === undefined && asCorrecting === undefined) return;
    const group = { content: hashOf(JSON.stringify([...fields])), statement: at.statement };
    if (asCorrected !== undefined) {
      if (!isFirstOrCopy(group, asCorrected.corrected))
        asCorrected.problem ??= `the file has several transactions with the id "${id}"`;
      asCorrected.corrected = group;
      if (asCorrecting !== undefined) asCorrected.problem ??= `"${id}" corrects another transaction`;
    }
    if (asCorrecting === undefined) return;
    if (asCorrected !== undefined) asCorrecting.problem ??= `another transaction corrects "${id}"`;
    const action = actionOf(fields);
    if (!isFirstOrCopy(group, asCorrecting.correcting))
      asCorrecting.problem ??= 'several transactions of the file correct it';
    asCorrecting.correcting = { ...(asCorrecting.correcting ?? { id, line, action }), ...group };
    if (action !== 'REPLACE' && action !== 'DELETE') {
      asCorrecting.problem ??= 'CORRECTACTION is neither REPLACE nor DELETE';
    }
    const row = action === 'REPLACE' ? at.readRow(entry) : undefined;
    if (row !== undefined && row.outcome !== 'transaction') {
      asCorrecting.problem ??= `the replacement cannot be recorded (${row.reason})`;
    }
  }

  /** Returns the outcome of a row that corrects another row or is corrected; undefined if the row is read like other rows. */
  decide(entry: TransactionEntry): StatementRow | undefined {
    if (this.#corrections.size === 0 || entry.isPending) return undefined;
    const { line, fields } = entry;
    const id = fields.get('FITID');
    const correctedId = correctedIdOf(entry);
    if (correctedId !== undefined) return this.#decideCorrecting(entry, correctedId);
    const { corrected, correcting, problem } =
      (id === undefined ? undefined : this.#corrections.get(keyOf(entry, id))) ?? {};
    if (corrected === undefined || correcting === undefined) return undefined;
    const other = `the transaction ${correcting.id === undefined ? '' : `"${correcting.id}" `}in line ${correcting.line}`;
    if (problem !== undefined)
      return { line, outcome: 'failure', reason: `${other} corrects it, but ${problem}: ${remedy}` };
    const verb = correcting.action === 'DELETE' ? 'deletes' : 'replaces';
    return { line, outcome: 'skipped', reason: `${other} ${verb} it` };
  }

  #decideCorrecting(entry: TransactionEntry, id: string): StatementRow | undefined {
    const { line, fields } = entry;
    const { corrected, problem } = this.#corrections.get(keyOf(entry, id)) ?? {};
    const action = actionOf(fields);
    if (corrected === undefined) {
      // A row whose CORRECTFITID is its own FITID does not correct another movement. If an earlier import recorded the row, the recorded
      // movement has the same import key, so the row is not recorded twice.
      const isReplacement = action === 'REPLACE' || action === '';
      if (isReplacement && id === fields.get('FITID')) return undefined;
      const reason = `it corrects the transaction "${id}" (${action || 'REPLACE'}); correct that movement yourself`;
      return { line, outcome: 'failure', reason };
    }
    if (problem !== undefined) {
      return {
        line,
        outcome: 'failure',
        reason: `it corrects the transaction "${id}" of the file, but ${problem}: ${remedy}`,
      };
    }
    if (action !== 'DELETE') return undefined;
    const reason = `it deletes the transaction "${id}" of the file. If an earlier import recorded that transaction, void its movement`;
    return { line, outcome: 'skipped', reason };
  }

  /** Returns the id of the transaction of the file that a row replaces; undefined if it replaces none, or if the ids are equal. */
  replacedIdOf(entry: TransactionEntry): string | undefined {
    const id = correctedIdOf(entry);
    return id === undefined || id === entry.fields.get('FITID') ? undefined : id;
  }
}

const remedy = 'record the valid transaction manually';

/** The maximum number of stored corrections, to limit memory. Further ones are treated as if the file did not have the corrected row. */
const correctionsMax = 100_000;

/** Returns whether a row is the first of its group, or a copy of the earlier row in another statement. */
function isFirstOrCopy({ content, statement }: RowGroup, earlier: RowGroup | undefined): boolean {
  return earlier === undefined || (content === earlier.content && statement !== earlier.statement);
}

/** Returns CORRECTFITID; undefined if the row corrects no other row, or is pending. */
function correctedIdOf({ fields, isPending }: TransactionEntry): string | undefined {
  return isPending ? undefined : fields.get('CORRECTFITID') || undefined;
}

/** Returns CORRECTACTION in capitals; empty if there is none. */
function actionOf(fields: OfxFields): string {
  return fields.get('CORRECTACTION')?.toUpperCase() ?? '';
}

function keyOf({ account }: OfxEntry, id: string): string {
  return JSON.stringify([account === null ? null : identityOf(account), id]);
}
