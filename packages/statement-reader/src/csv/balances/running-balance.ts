import type { StatementRow } from '../../statement.js';
import { addDecimals } from '../../totals.js';
import { parseAmount } from '../../values/amounts.js';
import { findOwnAccountPosition } from '../columns/account-headers.js';
import type { BalanceFinding, FeeFinding } from '../findings/balance-finding.js';
import type { CsvPlan } from '../plan/plan.js';
import type { CsvRow } from '../row/row.js';
import { areDebitSignsOpen, isMinusOfCreditsOpen } from '../signs/sign-convention.js';
import { plainCell } from '../table/cells.js';
import { requirePositions } from '../table/columns.js';
import { detectColumnsByHeader } from '../table/detect-columns-by-header.js';
import { BalanceLinks, type ChainDays, type LinkedRow } from './balance-links.js';
import { RunsWithoutBalance, type RunWithoutBalance, type UnbalancedRow } from './runs-without-balance.js';

/** A row with the balance after it. Amounts and balances are decimal strings, with a minus below zero. */
export interface BalancedRow extends LinkedRow {
  /** The amount, negative for an expense. */
  readonly amount: string;
  /** True for an amount in the debit column. */
  readonly isDebit: boolean;
  /** True for an amount that has a minus, but is read as an income because of the credit column or an income code. */
  readonly isCreditWithMinus: boolean;
  /** The fee, unsigned; `"0"` if there is none. */
  readonly fee: string;
}

type SwappedRows = 'debits' | 'credits with minus';

/** An assumption about the relation between balances and amounts. */
interface Hypothesis {
  /** Whether the balance becomes larger with each expense, like that of a debt. */
  readonly isReversed: boolean;
  /** The effect of fees on the balance. */
  readonly fees: FeeFinding;
  /** The rows for which the opposite direction is assumed: a row that was read as an expense is an income, and the reverse. */
  readonly swaps?: SwappedRows;
}

/**
 * Compares the balance column of a file with its amounts. The balance before a row is the balance of the row minus its amount. Except for
 * the oldest row, the balance before a row must also be the balance after another row of the same account and currency. This check does not
 * depend on the order of the rows, because some banks write the newest row first, or do not write the rows of a day in the order of
 * booking.
 */
export class RunningBalance {
  readonly #checked: readonly { readonly hypothesis: Hypothesis; readonly links: BalanceLinks }[];
  /** The hypotheses with `swaps`, which assume, for some rows, the opposite of the direction that was read. */
  readonly #swapped: readonly { readonly hypothesis: Hypothesis; readonly links: BalanceLinks }[];
  readonly #chains = new Set<string>();
  readonly #runs = new RunsWithoutBalance();
  #rowCount = 0;
  #belowZeroCount = 0;
  #gaps = 0;
  #isInGap = false;

  /**
   * @param fees the expected effect of fees on the balance; undefined if the file has no fees
   * @param swapped the kinds of rows for which the opposite of the direction that was read is also checked
   */
  constructor(fees: 'subtracts fees' | 'ignores fees' | undefined, swapped: readonly SwappedRows[]) {
    const expected = fees ?? 'ignores fees';
    const others = (['subtracts fees', 'ignores fees', 'adds fees'] as const).filter((other) => other !== expected);
    const feeHypotheses = fees === undefined ? [expected] : [expected, ...others];
    const hypotheses = [false, true].flatMap((isReversed) => feeHypotheses.map((kind) => ({ isReversed, fees: kind })));
    this.#checked = hypotheses.map((hypothesis) => ({ hypothesis, links: new BalanceLinks() }));
    this.#swapped = swapped.flatMap((swaps) =>
      [false, true].map((isReversed) => ({
        hypothesis: { isReversed, fees: expected, swaps },
        links: new BalanceLinks(),
      })),
    );
  }

  add(row: BalancedRow): void {
    this.#rowCount += 1;
    if (row.balance.startsWith('-')) this.#belowZeroCount += 1;
    this.#isInGap = false;
    this.#chains.add(row.chain);
    this.#runs.end(row.chain);
    for (const { hypothesis, links } of this.#checked) links.add(row, computeBalanceBefore(row, hypothesis));
    for (const { hypothesis, links } of this.#swapped) links.add(row, computeBalanceBefore(row, hypothesis));
  }

  /** Adds a transaction without a balance. Such a transaction is also a gap. */
  addUnbalanced(row: UnbalancedRow): void {
    this.#runs.add(row);
    this.addGap();
  }

  /** Adds a gap: a transaction without a balance, or a row that cannot be read. The balances before and after a gap may differ. */
  addGap(): void {
    if (!this.#isInGap) this.#gaps += 1;
    this.#isInGap = true;
  }

  /** The result for all rows; undefined if they prove nothing, for example if no chain has two rows. */
  get finding(): BalanceFinding | undefined {
    const total = this.#rowCount;
    const linkCount = total - this.#chains.size;
    if (linkCount <= 0) return undefined;
    const [expected, ...others] = this.#checked;
    if (expected === undefined) return undefined;
    const best = others.reduce(
      (better, next) => (next.links.unmatchedCount < better.links.unmatchedCount ? next : better),
      expected,
    );
    // Other hypotheses lead to a question anyway.
    const misplaced = best === expected && this.#gaps === 0 ? best.links.misplacedOpenings.length : 0;
    const contradictions = Math.max(0, best.links.unmatchedCount - this.#chains.size - this.#gaps) + misplaced;
    const proven = total - best.links.unmatchedCount;
    const provesFees = others.every(
      ({ hypothesis, links }) =>
        hypothesis.isReversed !== best.hypothesis.isReversed ||
        hypothesis.fees === best.hypothesis.fees ||
        links.unmatchedCount > best.links.unmatchedCount,
    );
    const proves = (rows: SwappedRows) =>
      this.#swapped.every(
        ({ hypothesis, links }) =>
          hypothesis.swaps !== rows ||
          hypothesis.isReversed !== best.hypothesis.isReversed ||
          links.unmatchedCount > best.links.unmatchedCount,
      );
    const provenSides = { provesDebits: proves('debits'), provesCredits: proves('credits with minus') };
    const unbookedLines = findUnbookedLines(this.#runs.ended, best.links.completeChains);
    const isBelowZero = 2 * this.#belowZeroCount > total;
    const counts = { total, agreeing: total - contradictions, provesFees, ...provenSides, isBelowZero, unbookedLines };
    if (2 * proven <= linkCount) {
      return contradictions === 0 ? undefined : { ...counts, kind: 'unrelated', contradiction: undefined };
    }
    if (best.hypothesis.isReversed && best.hypothesis.fees === expected.hypothesis.fees && best.links.goesBackInTime) {
      const kind = contradictions === 0 ? 'agrees' : 'contradicts';
      return { ...counts, kind, contradiction: best.links.contradiction, isBefore: true };
    }
    if (best !== expected) {
      const { contradiction } = expected.links;
      return best.hypothesis.isReversed
        ? { ...counts, kind: 'reversed', contradiction, debtContradiction: best.links.contradiction }
        : { ...counts, kind: best.hypothesis.fees, contradiction };
    }
    if (contradictions === 0) return { ...counts, kind: 'agrees', contradiction: undefined };
    return { ...counts, kind: 'contradicts', contradiction: best.links.contradiction };
  }
}

/**
 * Returns the line numbers of up to five rows that have no balance and are not booked yet. If each balance of an account is the previous
 * balance plus the amount of its row, the balances do not include the rows without a balance. Therefore, such rows are not booked, with two
 * exceptions. Rows on or before the day of the opening balance may be booked, because a bank may write only one balance for each day. Rows
 * after the day of the closing balance may be booked, because no later balance could include them.
 */
function findUnbookedLines(
  runs: readonly RunWithoutBalance[],
  completeChains: ReadonlyMap<string, ChainDays>,
): readonly number[] {
  const unbooked = runs.filter(({ chain, firstDay, lastDay }) => {
    const days = completeChains.get(chain);
    return days !== undefined && firstDay > days.first && lastDay <= days.last;
  });
  return unbooked.flatMap(({ lines }) => lines).slice(0, unbookedLinesMax);
}

const unbookedLinesMax = 5;

function computeBalanceBefore(
  { balance, amount, isDebit, isCreditWithMinus, fee }: BalancedRow,
  { isReversed, fees, swaps }: Hypothesis,
): string {
  const isSwapped = (swaps === 'debits' && isDebit) || (swaps === 'credits with minus' && isCreditWithMinus);
  const assumed = isSwapped ? negate(amount) : amount;
  const moved = [assumed, ...(fees === 'subtracts fees' ? [negate(fee)] : fees === 'adds fees' ? [fee] : [])];
  return addDecimals([balance, ...(isReversed ? moved : moved.map(negate))]);
}

/** Returns the amount of a transaction, negative for an expense; `"0"` if there is no transaction. */
function signedAmountOf(row: StatementRow | undefined): string {
  if (row?.outcome !== 'transaction') return '0';
  const { direction, amountDecimal } = row.transaction;
  return direction === 'expense' ? negate(amountDecimal) : amountDecimal;
}

function negate(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Compares the rows of a file with its balance column. */
export interface BalanceCheck {
  add(row: CsvRow): void;
  /** The result of the comparison; undefined if it proves nothing. */
  readonly finding: BalanceFinding | undefined;
}

/**
 * Returns the check of the balance column of a file; undefined if the file has no such column, or if the import uses only a debit column
 * or only a credit column. The check also compares the balances with the fees: those in the fee column, or without a fee column, those in
 * the first column of fees that are not recorded.
 */
export function balanceCheck(
  { dialect: { headers }, columns, formats, signs }: CsvPlan,
  [unrecordedFee]: readonly string[],
): BalanceCheck | undefined {
  const { roles, balancePosition } = columns;
  const hasOneSide = roles.amount === undefined && (roles.debit === undefined || roles.credit === undefined);
  if (balancePosition === undefined || hasOneSide) return undefined;
  const feeHeader = roles.fee ?? unrecordedFee;
  const feePosition = positionOf('fee', feeHeader);
  const datePosition = requirePositions({ date: roles.date }, headers).date ?? -1;
  // Uses the account column even if an option names the account of all rows.
  const accountPosition =
    positionOf('account', roles.account ?? detectColumnsByHeader(headers, new Set()).account) ??
    findOwnAccountPosition(headers, datePosition);
  const expectedFees = roles.fee === undefined ? 'ignores fees' : 'subtracts fees';
  const debitPosition = positionOf('debit', roles.debit);
  const checksCredits = isMinusOfCreditsOpen(roles, signs);
  const balances = new RunningBalance(feeHeader === undefined ? undefined : expectedFees, [
    ...(areDebitSignsOpen(roles, signs) ? (['debits'] as const) : []),
    ...(checksCredits ? (['credits with minus'] as const) : []),
  ]);

  function positionOf(name: 'fee' | 'account' | 'debit', header: string | undefined): number | undefined {
    return header === undefined ? undefined : requirePositions({ [name]: header }, headers)[name];
  }

  const cellAt = (cells: readonly string[], position: number | undefined) =>
    position === undefined ? '' : plainCell(cells[position] ?? '');

  const decimalOf = (text: string) => parseAmount(text, formats.decimalSeparator)?.amountDecimal ?? '0';

  return {
    add({ row, cells, balance, fee }) {
      // A row with an amount of zero is skipped, but its fee is a separate row that changes the balance.
      const moved = row.outcome === 'transaction' ? row : fee;
      if (row.outcome === 'failure' || (moved?.outcome === 'failure' && balance === undefined)) balances.addGap();
      if (moved?.outcome !== 'transaction') return;
      const { direction, currencyCode, occurredOn } = moved.transaction;
      const chain = JSON.stringify([cellAt(cells, accountPosition), currencyCode]);
      if (balance === undefined) {
        const amount = addDecimals([row, fee].map(signedAmountOf));
        balances.addUnbalanced({ line: row.line, occurredOn, chain, amount });
        return;
      }
      const amountDecimal = row.outcome === 'transaction' ? row.transaction.amountDecimal : '0';
      const isDebit = decimalOf(cellAt(cells, debitPosition)) !== '0';
      balances.add({
        line: row.line,
        occurredOn,
        chain,
        amount: direction === 'expense' ? `-${amountDecimal}` : amountDecimal,
        isDebit,
        // If `checksCredits` is true, all credits have a minus.
        isCreditWithMinus: checksCredits && direction === 'income' && !isDebit,
        // A fee that fails is not recorded. It may be in another currency, and charged to another account.
        fee: fee?.outcome === 'failure' ? '0' : decimalOf(cellAt(cells, feePosition)),
        balance,
        currencyCode,
      });
    },
    get finding() {
      return balances.finding;
    },
  };
}
