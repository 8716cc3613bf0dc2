import { createHash } from 'node:crypto';
import type { StatementRow } from './statement.js';
import { type AccountRow, identityOf, type StatementFacts } from './survey-accounts.js';

/** Finds out whether a file may contain a statement twice, from the facts and the number of rows of each statement. */
export class RepeatedFacts {
  readonly #seen = new Set<string>();
  #rowCount = 0;
  #hasRepeated = false;

  /** Whether two statements of an account have the same number of rows, and the same id or balances. */
  get hasRepeated(): boolean {
    return this.#hasRepeated;
  }

  /** Yields the rows unchanged. After the last row, `hasRepeated` is set. */
  async *watch(rows: AsyncIterable<AccountRow>): AsyncGenerator<AccountRow> {
    for await (const found of rows) {
      this.#add(found);
      yield found;
    }
  }

  #add({ account, row, facts }: AccountRow): void {
    if (row !== null) this.#rowCount += 1;
    if (facts === undefined) return;
    for (const fact of this.#rowCount === 0 ? [] : [facts.id, facts.balances]) {
      if (fact === null) continue;
      const key = JSON.stringify([account === null ? null : identityOf(account), this.#rowCount, fact]);
      if (this.#seen.has(key)) this.#hasRepeated = true;
      else if (this.#seen.size < factsMax) this.#seen.add(key);
    }
    this.#rowCount = 0;
  }
}

/**
 * Finds the statements that repeat an earlier statement of the file: the account and all rows are equal, and the ids or the balances too.
 * If both have balances and these differ, the statements are different, even if their ids are equal: some banks give all statements the
 * same id. Equal rows alone prove nothing: the customer may have made the same payment twice on one day.
 *
 * @returns maps the number of each repeated statement, from 0, to the reason why its rows are skipped
 */
export async function findRepeatedStatements(rows: AsyncIterable<AccountRow>): Promise<ReadonlyMap<number, string>> {
  const reasons = new Map<number, string>();
  const known = new Map<string, StatementFacts[]>();
  let statement = 0;
  let hash = createHash('sha256');
  for await (const { account, row, facts } of rows) {
    if (row !== null) hash.update(contentOf(row));
    if (facts === undefined) continue;
    const content = hash.update(account === null ? '' : identityOf(account)).digest('base64');
    const earlier = known.get(content) ?? [];
    if (earlier.some((other) => isSame(facts, other))) reasons.set(statement, describeCopy(facts));
    else if (known.size < factsMax) known.set(content, [...earlier, facts].slice(0, equalRowsMax));
    hash = createHash('sha256');
    statement += 1;
  }
  return reasons;
}

/**
 * Yields the rows. The rows of repeated statements are yielded as skipped, and the balances of these statements are not yielded.
 * @param reasons the result of `findRepeatedStatements`
 */
export async function* skipRepeatedStatements(
  rows: AsyncIterable<AccountRow>,
  reasons: ReadonlyMap<number, string>,
): AsyncGenerator<AccountRow> {
  let statement = 0;
  for await (const found of rows) {
    const reason = reasons.get(statement);
    if (found.facts !== undefined) statement += 1;
    if (reason === undefined) yield found;
    else if (found.row === null) yield { ...found, balance: undefined };
    else yield { ...found, row: { line: found.row.line, outcome: 'skipped', reason }, note: reason };
  }
}

/** The maximum number of stored facts, and separately of stored statements with different rows, to limit the memory. */
const factsMax = 100_000;
/** The maximum number of stored statements with equal rows. */
const equalRowsMax = 100;

/** Returns a text that is equal for equal rows on different lines. */
function contentOf(row: StatementRow): string {
  return `${JSON.stringify(row.outcome === 'transaction' ? row.transaction : [row.outcome, row.reason])}\n`;
}

function isSame(one: StatementFacts, other: StatementFacts): boolean {
  if (one.balances !== null && other.balances !== null) return one.balances === other.balances;
  return one.id !== null && one.id === other.id;
}

function describeCopy({ id }: StatementFacts): string {
  return `its statement${id === null ? '' : ` "${id}"`} is also earlier in the file`;
}
