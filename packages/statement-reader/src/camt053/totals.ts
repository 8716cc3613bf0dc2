import type { BalanceFinding } from '../balances.js';
import { childrenAt, textAt, type XmlElement } from '../markup/xml.js';
import type { StatementRow } from '../statement.js';
import { addDecimals, describeAmount } from '../totals.js';
import { readAmount, signed } from './entry.js';

/** The totals that a statement names; a field is undefined if the statement does not name it. */
interface StatedTotals {
  readonly count: number | undefined;
  readonly sum: string | undefined;
}

/** The number of some entries, the sum of their amounts without signs, and the sum with signs. */
interface FoundTotals {
  count: number;
  sum: string;
  net: string;
}

/**
 * Compares the entries of a statement with the totals in its summary (TxsSummry). Banks differ in what they count: all entries, only booked
 * entries, or each payment of a batch. Some banks write the sum of the signed amounts. So a stated total agrees if it equals any of these.
 * The summary of a statement with several pages is not compared, because it may include the entries of all pages. The caller ignores the
 * result if the balances of the statement agree with its entries.
 * @source ISO 20022 message definition report of camt.053, TotalTransactions (TtlNtries, TtlCdtNtries, TtlDbtNtries)
 */
export class CamtTotals {
  /** Undefined until the summary or the first entry is read; null if there is no summary before the first entry. */
  #stated: StatedTotals | null | undefined;
  #isWhole: boolean;
  readonly #all: FoundTotals = { count: 0, sum: '0', net: '0' };
  readonly #booked: FoundTotals = { count: 0, sum: '0', net: '0' };
  #paymentCount = 0;
  readonly #currencies = new Set<string>();

  /** @param isWhole whether the message has only one page */
  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  addPage(isWhole: boolean): void {
    this.#isWhole &&= isWhole;
  }

  addSummary(summary: XmlElement): void {
    if (this.#stated !== undefined) return;
    const all = totalsAt(summary, 'TtlNtries');
    const [credits, debits] = [totalsAt(summary, 'TtlCdtNtries'), totalsAt(summary, 'TtlDbtNtries')];
    const hasBothCounts = credits.count !== undefined && debits.count !== undefined;
    const hasBothSums = credits.sum !== undefined && debits.sum !== undefined;
    this.#stated = {
      count: all.count ?? (hasBothCounts ? credits.count + debits.count : undefined),
      sum: all.sum ?? (hasBothSums ? addDecimals([credits.sum, debits.sum]) : undefined),
    };
  }

  /** @param rows the rows of the entry */
  addEntry(entry: XmlElement, rows: readonly StatementRow[]): void {
    this.#stated ??= null;
    if (this.#stated === null) return;
    const amount = readAmount(entry);
    const isBooked = rows.some(({ outcome }) => outcome !== 'skipped');
    if (isBooked) this.#paymentCount += Math.max(1, childrenAt(entry, 'NtryDtls/TxDtls').length);
    this.#currencies.add('reason' in amount ? '' : (amount.currencyCode ?? ''));
    for (const totals of isBooked ? [this.#all, this.#booked] : [this.#all]) {
      totals.count += 1;
      if ('reason' in amount) continue;
      totals.sum = addDecimals([totals.sum, amount.amountDecimal]);
      totals.net = addDecimals([totals.net, signed(amount)]);
    }
  }

  /** The first total that disagrees with the entries; undefined if there is none. Available after the last entry. */
  get finding(): BalanceFinding | undefined {
    if (!this.#isWhole || this.#stated === null || this.#stated === undefined) return undefined;
    const { count, sum } = this.#stated;
    if (count !== undefined && ![this.#all.count, this.#booked.count, this.#paymentCount].includes(count)) {
      const entries = `${this.#all.count} ${this.#all.count === 1 ? 'entry' : 'entries'}`;
      return {
        kind: 'disagrees',
        message: `the summary of the statement counts ${count}, but the statement has ${entries}`,
      };
    }
    const [currencyCode = '', ...others] = this.#currencies;
    if (sum === undefined || currencyCode === '' || others.length > 0) return undefined;
    const sums = [this.#all, this.#booked].flatMap(({ sum: gross, net }) => [gross, net.replace('-', '')]);
    if (sums.includes(sum)) return undefined;
    const [stated, found] = [describeAmount(sum, currencyCode), describeAmount(this.#all.sum, currencyCode)];
    return {
      kind: 'disagrees',
      message: `the summary of the statement has the sum ${stated}, but its entries add up to ${found}`,
    };
  }
}

function totalsAt(summary: XmlElement, name: string): StatedTotals {
  const count = textAt(summary, `${name}/NbOfNtries`) ?? '';
  const sum = textAt(summary, `${name}/Sum`) ?? '';
  return {
    count: /^\d{1,15}$/.test(count) ? Number(count) : undefined,
    sum: /^-?\d+(\.\d+)?$/.test(sum) ? addDecimals([sum.replace('-', '')]) : undefined,
  };
}
