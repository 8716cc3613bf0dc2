import { type AmountSign, findAmountSign } from '../../values/amounts.js';
import { decideDirection } from '../signs/sign-convention.js';
import { cellOf, plainCell } from '../table/cells.js';
import { headerWords, kindHeaders } from '../table/header-names.js';
import {
  type MoneyOut,
  type MoneyOutWithoutMinus,
  moneyOutOf,
  moneyOutOfDescription,
  namesReversal,
} from '../words/money-out-kinds.js';
import { hasRefundWord } from '../words/refunds.js';
import { type RowContext, withCode } from './row-amount.js';

/**
 * Finds kinds of transactions that are money out, if most rows of the kind have no minus. Some brokers, such as Trading 212, write a minus
 * only before withdrawals: their purchases of securities have no sign, like their deposits. Other files have a minus only before payments,
 * and withdrawals or fees have no sign.
 */
export class MoneyOutSignCheck {
  readonly #columns: readonly NamingColumn[];
  readonly #counts = new Map<string, NamingColumn & { moneyOut: MoneyOut; minus: number; other: number }>();
  /** The kinds that were tested before. A file has few kinds, and a test takes longer than a look-up. */
  readonly #known = new Map<string, MoneyOut | undefined>();

  /** @param description the position of the descriptions; undefined if there is no such column */
  constructor(headers: readonly string[], description: number | undefined) {
    this.#columns = headers.flatMap((header, position) => {
      const isKind = kindHeaders.has(headerWords(header));
      return isKind || position === description ? [{ position, isDescription: !isKind }] : [];
    });
  }

  /** @param sign the sign of the amount of the row; undefined if the row has no amount */
  add(cells: readonly string[], sign: AmountSign | undefined): void {
    if (sign === undefined) return;
    for (const column of this.#columns) {
      const text = plainCell(cells[column.position] ?? '');
      const moneyOut = this.#read(column, text);
      if (moneyOut === undefined || isExempt(moneyOut, { cells, sign })) continue;
      // A reversal does not show whether the purchases of the file have a minus.
      if (column.isDescription && namesReversal(text)) continue;
      const name = `${column.position} ${moneyOut}`;
      const counts = this.#counts.get(name) ?? { ...column, moneyOut, minus: 0, other: 0 };
      this.#counts.set(name, counts);
      counts[sign === 'minus' ? 'minus' : 'other'] += 1;
    }
  }

  get findings(): readonly MoneyOutWithoutMinus[] {
    const found = [...this.#counts.values()].filter(({ minus, other }) => other > minus);
    return found.map(({ minus, other, ...kind }) => ({ ...kind, rowCount: minus + other }));
  }

  #read({ isDescription }: NamingColumn, text: string): MoneyOut | undefined {
    if (isDescription) return moneyOutOfDescription(text);
    if (this.#known.has(text)) return this.#known.get(text);
    const moneyOut = moneyOutOf(text);
    if (this.#known.size < knownMax) this.#known.set(text, moneyOut);
    return moneyOut;
  }
}

type NamingColumn = Pick<MoneyOutWithoutMinus, 'position' | 'isDescription'>;

/** The maximum number of stored kinds, to limit the memory for a column of free text. */
const knownMax = 200;

/**
 * Returns whether a row may be money in although its kind is money out. A withdrawal, a sent payment or a fee may be an income if its
 * amount has a plus, or if a text of the row names a refund. A purchase is never exempt.
 */
function isExempt(
  moneyOut: MoneyOut,
  { cells, sign }: { readonly cells: readonly string[]; readonly sign: AmountSign },
): boolean {
  if (moneyOut === 'purchase' || sign === 'minus') return false;
  return sign === 'plus' || cells.some((cell) => hasRefundWord(cell) || waiver.test(cell));
}

/** Words for a fee that the bank gave back, in addition to the words for refunds. */
const waiver = /(?<!\p{L})(waive[dr]?|waiver|rebate|reimburs\w*|reversed|returned|adjustment)(?!\p{L})/iu;

/**
 * Returns the reason why a row of money out fails: most rows of its kind have no minus, and an amount without a minus would be an income.
 * Returns undefined for other rows, or if the balances or a direction column show the direction.
 */
export function explainMoneyOut(row: RowContext): string | undefined {
  const {
    cells,
    positions,
    file: { plan, further },
  } = row;
  const { signs } = plan;
  if (signs.moneyOutWithoutMinus.length === 0) return undefined;
  if (signs.balanceOrder !== undefined || positions.direction !== undefined) return undefined;
  if (decideDirection('amount', 'none', signs) === 'expense') return undefined;
  const sign = findAmountSign(withCode(cellOf(row, 'amount') ?? '', cells[further.code])) ?? 'none';
  for (const { position, isDescription, moneyOut, rowCount } of signs.moneyOutWithoutMinus) {
    const kind = plainCell(cells[position] ?? '');
    const named = isDescription ? moneyOutOfDescription(kind) : moneyOutOf(kind);
    if (named !== moneyOut || isExempt(moneyOut, { cells, sign })) continue;
    // A reversal of a purchase is an income, so it is read correctly without a minus. With a minus, it would be an expense, so it fails.
    if (isDescription && sign !== 'minus' && namesReversal(kind)) continue;
    const [one, several] = nouns[moneyOut];
    return rowCount === 1
      ? `"${kind}" names a ${one}, but the only ${one} of the file has no minus: put a minus before its amount if it is an expense, or use --direction-column "" if it is an income`
      : `"${kind}" names a ${one}, but most ${several} of the file have no minus: put a minus before each ${one} that is an expense, or use --direction-column "" if the signs of all ${several} are right`;
  }
  return undefined;
}

const nouns: Readonly<Record<MoneyOut, readonly [one: string, several: string]>> = {
  purchase: ['purchase', 'purchases'],
  withdrawal: ['withdrawal', 'withdrawals'],
  payment: ['sent payment', 'sent payments'],
  fee: ['fee', 'fees'],
};
