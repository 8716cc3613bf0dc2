import { NumberColumn } from './repeated-ids.js';
import { RowCounts } from './row-counts.js';
import type { Question, StatementRow, StatementTransaction } from './statement.js';
import { type AccountRow, copyReason, type FileAccount, identityOf } from './survey-accounts.js';
import { describeAmount } from './totals.js';

/** The rows of overlapping statements that equal a row of an earlier statement. */
export interface CopiedRows {
  /** The positions of these rows among all rows of the file, in ascending order. */
  readonly positions: NumberColumn;
  /** The statements that contain these rows, as positions in the file. */
  readonly statements: ReadonlySet<number>;
  /** Maps the identity of each account to the number of its copied rows, and to the descriptions of the first of these rows. */
  readonly byAccount: ReadonlyMap<string, { readonly count: number; readonly examples: readonly string[] }>;
}

/**
 * Finds the rows of overlapping statements that equal a row of an earlier statement of the account in day, amount and texts. The ids may
 * differ, because some banks give a transaction a new id in each statement. Each earlier row has at most one copy in a statement.
 *
 * If the bank keeps the ids, rows with another id are not copies. The function assumes this for a statement if some of its rows equal an
 * earlier row and have its id, and at most as many rows equal an earlier row but have another id.
 *
 * @param read reads the rows of all statements, without repeated statements and copies with the same id
 * @param isOverlapping returns whether a statement overlaps an earlier statement of its account
 */
export async function findCopiedRows(
  read: () => AsyncIterable<AccountRow>,
  isOverlapping: (statement: number) => boolean,
): Promise<CopiedRows> {
  const counts = new RowCounts();
  for await (const found of read()) {
    if (found.row?.outcome === 'transaction') counts.see(contentOf(found, found.row.transaction));
  }
  counts.settle();
  const positions = new NumberColumn(Uint32Array);
  const statements = new Set<number>();
  const byAccount = new Map<string, { count: number; examples: string[] }>();
  let [statement, position, sameIds] = [0, -1, 0];
  let [withIds, withoutIds] = [new Candidates(), new Candidates()];
  for await (const found of read()) {
    const { row, facts } = found;
    if (row !== null) position += 1;
    if (found.note === copyReason) sameIds += 1;
    if (row?.outcome === 'transaction' && counts.add(contentOf(found, row.transaction)) && isOverlapping(statement)) {
      const candidates = row.transaction.statementId === null ? withoutIds : withIds;
      candidates.add(position, () => describeRow(row));
    }
    if (facts === undefined) continue;
    const keepsIds = sameIds > 0 && sameIds >= withIds.count;
    const copies = keepsIds ? [withoutIds] : [withoutIds, withIds];
    const count = copies.reduce((sum, { count: some }) => sum + some, 0);
    counts.endStatement(count > 0 && !keepsIds);
    for (const at of copies.flatMap(({ positions: some }) => [...some]).sort((one, other) => one - other))
      positions.push(at);
    if (count > 0) {
      statements.add(statement);
      const account = accountOf(found);
      const known = byAccount.get(account) ?? { count: 0, examples: [] };
      const examples = [...known.examples, ...copies.flatMap(({ examples: some }) => some)].slice(0, examplesMax);
      byAccount.set(account, { count: known.count + count, examples });
    }
    statement += 1;
    sameIds = 0;
    [withIds, withoutIds] = [new Candidates(), new Candidates()];
  }
  return { positions, statements, byAccount };
}

/**
 * Yields the rows with a note on each copied row.
 * @param leavesOut whether copied rows are yielded as skipped
 */
export async function* markCopiedRows(
  rows: AsyncIterable<AccountRow>,
  { positions, leavesOut }: { positions: NumberColumn; leavesOut: boolean },
): AsyncGenerator<AccountRow> {
  let [position, next] = [-1, 0];
  for await (const found of rows) {
    const { row } = found;
    if (row !== null) position += 1;
    if (row === null || next === positions.length || positions.at(next) !== position) {
      yield found;
      continue;
    }
    next += 1;
    const note = 'an earlier statement of the same days has an equal row';
    yield leavesOut
      ? { ...found, row: { line: row.line, outcome: 'skipped', reason: note }, note }
      : { ...found, note };
  }
}

/** Returns the question whether the copied rows of some accounts are other transactions; null if these accounts have none. */
export function copiesQuestion(
  copied: CopiedRows,
  accounts: readonly { readonly account: FileAccount | null }[],
): Question | null {
  const found = accounts.flatMap((survey) => copied.byAccount.get(accountOf(survey)) ?? []);
  const count = found.reduce((sum, { count: some }) => sum + some, 0);
  if (count === 0) return null;
  const examples = found.flatMap(({ examples: some }) => some).slice(0, examplesMax);
  const more = count > examples.length ? ` and ${count - examples.length} more` : '';
  const isOne = count === 1;
  return {
    message: `${count} ${isOne ? 'row equals a row' : 'rows equal rows'} of an earlier statement of the same days: ${examples.join('; ')}${more}. If ${isOne ? 'it is' : 'they are'} recorded, ${isOne ? 'its amount' : 'their amounts'} may count twice.`,
    remedy: `Use --skip-recorded to leave ${isOne ? 'it' : 'them'} out. Use --record-again only if ${isOne ? 'it is another transaction' : 'they are other transactions'}. With --record-again, the import does not compare the file with recorded rows.`,
    requiresOption: true,
  };
}

/** Rows of a statement that may be copies: either those with an id, or those without one. */
class Candidates {
  readonly #positions = new NumberColumn(Uint32Array);
  readonly examples: string[] = [];

  get count(): number {
    return this.#positions.length;
  }

  get positions(): Iterable<number> {
    return this.#positions.values;
  }

  add(position: number, describe: () => string): void {
    this.#positions.push(position);
    if (this.examples.length < examplesMax) this.examples.push(describe());
  }
}

/** The maximum number of described rows. */
const examplesMax = 3;

function accountOf({ account }: Pick<AccountRow, 'account'>): string {
  return account === null ? '' : identityOf(account);
}

function contentOf(found: AccountRow, transaction: StatementTransaction): string {
  return JSON.stringify([accountOf(found), { ...transaction, statementId: null }]);
}

function describeRow({ line, transaction }: Extract<StatementRow, { outcome: 'transaction' }>): string {
  const { occurredOn, direction, amountDecimal, currencyCode, merchantName, description } = transaction;
  const amount = describeAmount(`${direction === 'expense' ? '-' : ''}${amountDecimal}`, currencyCode);
  const texts = [merchantName, description].filter((text) => text !== null).join(' ');
  return [`line ${line}`, occurredOn, amount, ...(texts === '' ? [] : [`"${texts.slice(0, 60)}"`])].join(', ');
}
