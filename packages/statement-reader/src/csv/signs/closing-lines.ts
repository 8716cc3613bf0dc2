import type { CsvRecord } from '../reader.js';
import { foldText, type RowKind } from '../rows/row-kind.js';

/** A line below the rows that names the closing balance of the statement. */
export interface ClosingLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Finds the lines below the last row that name the closing balance. A line with the name of another balance is not one of them: an
 * available or a current balance may differ from the balance after the newest row.
 */
export class ClosingLines {
  /** The last rows, because the closing balance may have a date and look like a row. */
  #lastRows: ClosingLine[] = [];
  #belowRows: ClosingLine[] = [];

  add(record: CsvRecord, kind: RowKind): void {
    if (kind === 'row') {
      this.#belowRows = [];
      this.#lastRows.push({ line: record.line, cells: 'cells' in record ? record.cells : [] });
      if (this.#lastRows.length > linesMax) this.#lastRows.shift();
    } else if ((kind === 'balance' || kind === 'note') && 'cells' in record && namesClosingBalance(record)) {
      if (this.#belowRows.length < linesMax) this.#belowRows.push({ line: record.line, cells: record.cells });
    }
  }

  get lines(): readonly ClosingLine[] {
    const lastRow = this.#lastRows.findLastIndex((line) => !namesClosingBalance(line));
    return [...this.#lastRows.slice(lastRow + 1), ...this.#belowRows];
  }
}

const linesMax = 5;

/** Names of the closing balance, as `foldText` returns them. */
const closingBalance = new RegExp(
  `^(${[
    '(closing|ending|end|final) (statement )?balance|closing bal\\.?',
    '(end|schluss)(saldo|bestand|kontostand)|saldo (final|finale|koncowe|kapanis|akhir)|stan koncowy',
    '(eind|slot)(saldo|balans)|(slut|ultimo|loppu|lopp)saldo|utgaende (saldo|balans)|sold final|baki akhir',
    'solde (final|(de|en) fin( de periode)?|de cloture)|zaro ?egyenleg|so du cuoi ky|lokastada',
    '(konecny|koncovy) (zustatek|zostatok|stav)( uctu)?|(zavrsno|koncno) stanje|(kapanis|donem sonu) bakiyesi',
    '(исходящий) (остаток|баланс)|остаток на конец( периода)?|вихідний залишок|(крайно|крајње) (салдо|стање)',
    'likutis (laikotarpio )?(pabaigai|pabaigoje)|galutinis likutis|beigu (atlikums|bilance)|τελικ[οό] υπ[οό]λοιπο|υπ[οό]λοιπο λ[ηή]ξης',
    '期末(余额|结余|結餘|餘額)|(ال)?رصيد (ال)?ختامي|יתרת סגירה|ยอดยกไป',
  ].join('|')})( (a|al|am|au|na|on|per|as of|vom|zum))?[^\\p{L}]*( ?\\p{L}{3})?$`,
  'u',
);

const textMax = 60;

function namesClosingBalance({ cells }: Pick<ClosingLine, 'cells'>): boolean {
  return cells.some(isClosingBalanceText);
}

/** Returns whether a text is the name of the closing balance. A date or an amount may follow the name. */
export function isClosingBalanceText(text: string): boolean {
  return text.length <= textMax && closingBalance.test(foldText(text));
}
