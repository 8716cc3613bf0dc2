import { type AccountRow, identityOf, type StatementBalances } from './survey-accounts.js';

/** One statement of a file: its account, the days that it covers, and its balances. */
export interface StatementSpan {
  /** The position of the statement in the file, from 0. */
  readonly statement: number;
  /** The identity of the account (see `identityOf`); empty if the statement names no account. */
  readonly account: string;
  /** The first and the last day that the statement or one of its rows names; both are empty if no day is known. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly hasRows: boolean;
  readonly balances: StatementBalances | undefined;
  /** The last statements of the account and currency in earlier files. */
  readonly earlier: readonly StatementBalances[];
}

/** Collects the spans of the statements of a file. */
export class StatementSpans {
  readonly #spans: StatementSpan[] = [];
  #count = 0;
  #firstDay = '';
  #lastDay = '';
  #hasRows = false;

  /** Yields the rows unchanged, and collects the spans. */
  async *watch(rows: AsyncIterable<AccountRow>): AsyncGenerator<AccountRow> {
    for await (const found of rows) {
      this.#add(found);
      yield found;
    }
  }

  /** Returns the spans of the first statements, at most `spansMax`. @param repeated the statements to leave out */
  without(repeated: ReadonlyMap<number, string>): readonly StatementSpan[] {
    return this.#spans.filter(({ statement }) => !repeated.has(statement));
  }

  /**
   * Returns a function that returns whether a statement overlaps an earlier statement of its account. Returns undefined if no statement
   * does. Statements after the first `spansMax` count as overlapping.
   */
  findOverlapping(repeated: ReadonlyMap<number, string>): ((statement: number) => boolean) | undefined {
    const overlapping = new Set<number>();
    const byAccount = new Map<string, StatementSpan[]>();
    for (const span of this.without(repeated)) {
      if (!span.hasRows) continue;
      const earlier = byAccount.get(span.account) ?? [];
      if (earlier.some((other) => doOverlap(other, span))) overlapping.add(span.statement);
      earlier.push(span);
      byAccount.set(span.account, earlier);
    }
    const isCut = this.#count > this.#spans.length;
    if (overlapping.size === 0 && !isCut) return undefined;
    return (statement) => overlapping.has(statement) || statement >= spansMax;
  }

  #add({ account, row, facts }: AccountRow): void {
    if (row !== null) this.#hasRows = true;
    if (row?.outcome === 'transaction') this.#addDay(row.transaction.occurredOn);
    if (facts === undefined) return;
    for (const day of facts.days ?? []) this.#addDay(day);
    if (this.#spans.length < spansMax) {
      this.#spans.push({
        statement: this.#count,
        account: account === null ? '' : identityOf(account),
        firstDay: this.#firstDay,
        lastDay: this.#lastDay,
        hasRows: this.#hasRows,
        balances: facts.between,
        earlier: facts.earlier ?? [],
      });
    }
    this.#count += 1;
    [this.#firstDay, this.#lastDay, this.#hasRows] = ['', '', false];
  }

  #addDay(day: string): void {
    if (this.#firstDay === '' || day < this.#firstDay) this.#firstDay = day;
    if (day > this.#lastDay) this.#lastDay = day;
  }
}

/** The maximum number of stored spans, to limit the memory and the number of comparisons. */
const spansMax = 10_000;

/**
 * Returns whether two statements of an account overlap. Consecutive statements may share a day: the last day of one is then the first day
 * of the other, and the closing balance of one is the opening balance of the other. If the balances are unknown, statements that share
 * only such a day count as consecutive.
 */
function doOverlap(one: StatementSpan, other: StatementSpan): boolean {
  if (one.lastDay < other.firstDay || other.lastDay < one.firstDay) return false;
  if (one.lastDay > other.firstDay && other.lastDay > one.firstDay) return true;
  return one.balances !== undefined && other.balances !== undefined && !areConsecutive(one.balances, other.balances);
}

/** Returns whether one statement begins with the closing balance of the other. Statements in different currencies count as consecutive. */
function areConsecutive(one: StatementBalances, other: StatementBalances): boolean {
  const isBefore = (first: StatementBalances, second: StatementBalances) =>
    first.closing.amount === second.opening.amount;
  return one.currencyCode !== other.currencyCode || isBefore(one, other) || isBefore(other, one);
}
