import { foldText } from '../table/fold-text.js';
import type { CsvRecord } from '../table/reader.js';
import type { RowKind } from './row-kind.js';

/** A line that names a balance of the whole statement. It is above or below the rows, or is itself one of the first or last rows. */
export interface StatedBalance {
  readonly line: number;
  readonly cells: readonly string[];
  /** `dated` is a balance of a day, such as `Kontostand am 31.03.2026`. */
  readonly kind: 'opening' | 'closing' | 'dated';
  /** Whether the line is above the headers, so that its cells do not belong to the columns of the file. */
  readonly isAboveHeaders: boolean;
}

/**
 * Finds the lines that name a balance of the whole statement. A line with the label of another balance is not one of them: an available or
 * a current balance may differ from the balance after the newest row. Lines between the rows are left out, because they may be the balances
 * of a page or a month.
 */
export class StatedBalances {
  readonly #aboveRows: StatedBalance[] = [];
  /** The last rows, because a row with the label of a balance may look like a payment. */
  readonly #lastRows: TextLine[] = [];
  #belowRows: StatedBalance[] = [];
  #hasPayment = false;

  add(record: CsvRecord, kind: RowKind | 'preamble'): void {
    const line = 'cells' in record ? record : { line: record.line, cells: [] };
    // Only the first rows and, at the end of the file, the last rows are searched, because the search would take long for all rows.
    const stated = kind === 'row' && this.#hasPayment ? undefined : findStatedBalance(line, kind);
    this.#hasPayment ||= kind === 'row' && stated === undefined;
    if (stated !== undefined && !this.#hasPayment && this.#aboveRows.length < linesMax) this.#aboveRows.push(stated);
    if (kind === 'row') {
      this.#belowRows = [];
      this.#lastRows.push({ line: line.line, cells: line.cells });
      if (this.#lastRows.length > linesMax) this.#lastRows.shift();
    } else if (stated !== undefined && this.#hasPayment && this.#belowRows.length < linesMax) {
      this.#belowRows.push(stated);
    }
  }

  get lines(): readonly StatedBalance[] {
    if (!this.#hasPayment) return [];
    const last = this.#lastRows.map((line) => findStatedBalance(line, 'row'));
    const stated = last.slice(last.lastIndexOf(undefined) + 1).filter((line) => line !== undefined);
    return [...this.#aboveRows, ...stated, ...this.#belowRows];
  }
}

type TextLine = Pick<StatedBalance, 'line' | 'cells'>;

const linesMax = 5;

function findStatedBalance({ line, cells }: TextLine, lineKind: RowKind | 'preamble'): StatedBalance | undefined {
  if (!['preamble', 'row', 'balance', 'note'].includes(lineKind)) return undefined;
  const isAboveHeaders = lineKind === 'preamble';
  const names = (name: RegExp) => cells.some((cell) => cell.length <= textMax && name.test(foldText(cell)));
  if (names(closingBalance)) return { line, cells, kind: 'closing', isAboveHeaders };
  if (names(openingBalance)) return { line, cells, kind: 'opening', isAboveHeaders };
  return lineKind !== 'row' && names(datedBalance) ? { line, cells, kind: 'dated', isAboveHeaders } : undefined;
}

/** Matches what may follow the label of a balance: a date, an amount and a currency. */
const afterLabel = '( (a|al|am|as of|at|au|na|on|per|vom|zum))?[^\\p{L}]*( ?\\p{L}{3})?$';

/** Labels of the closing balance, as `foldText` returns them. */
const closingBalance = new RegExp(
  `^(${[
    '(closing|ending|end|final) (statement )?balance|closing bal\\.?',
    '(end|schluss)(saldo|bestand|kontostand)|neuer (kontostand|saldo)|nouveau solde|nuevo saldo|nuovo saldo|nieuw saldo|saldo (final|finale|koncowe|kapanis|akhir)|stan koncowy',
    '(eind|slot)(saldo|balans)|(slut|ultimo|loppu|lopp)saldo|utgaende (saldo|balans)|sold final|baki akhir',
    'solde (final|(de|en) fin( de periode)?|de cloture)|zaro ?egyenleg|so du cuoi ky|lokastada',
    '(konecny|koncovy) (zustatek|zostatok|stav)( uctu)?|(zavrsno|koncno) stanje|(kapanis|donem sonu) bakiyesi',
    '(исходящий) (остаток|баланс)|остаток на конец( периода)?|вихідний залишок|(крайно|крајње) (салдо|стање)',
    'likutis (laikotarpio )?(pabaigai|pabaigoje)|galutinis likutis|beigu (atlikums|bilance)|τελικ[οό] υπ[οό]λοιπο|υπ[οό]λοιπο λ[ηή]ξης',
    '期末(余额|结余|結餘|餘額)|(ال)?رصيد (ال)?ختامي|יתרת סגירה|ยอดยกไป',
  ].join('|')})${afterLabel}`,
  'u',
);

/** Labels of the opening balance, as `foldText` returns them. */
const openingBalance = new RegExp(
  `^(${[
    '(opening|beginning|starting|start|initial) (statement )?balance|opening bal\\.?|b/(f|fwd)',
    '((balance|bal\\.?) )?brought (forward|fwd|down)|(balance|bal\\.?) b/(f|d|fwd)',
    'anfangs(saldo|bestand|kontostand)|eroffnungssaldo|alter (kontostand|saldo)|ancien solde|oud saldo|saldo (inicial|iniziale|poczatkowe|acilis|awal)|stan poczatkowy',
    '(begin|openings)(saldo|balans)|(primo|start|alku)saldo|in(n?)gaende (saldo|balans)|sold initial|baki awal',
    "solde (initial|(de|en) debut( de periode)?|d['’]ouverture)|nyito ?egyenleg|so du dau ky|upphafsstada",
    '(pocatecni|pociatocny) (zustatek|zostatok|stav)( uctu)?|(pocetno|zacetno) stanje|acilis bakiyesi',
    'входящий (остаток|баланс)|остаток на начало( периода)?|вхідний залишок|(начално|почетно) (салдо|стање)',
    'likutis (laikotarpio )?(pradziai|pradzioje)|pradinis likutis|sakuma (atlikums|bilance)|αρχικ[οό] υπ[οό]λοιπο',
    'υπ[οό]λοιπο [εέ]ναρξης|期初(余额|结余|結餘|餘額)|(ال)?رصيد (ال)?افتتاحي|יתרת פתיחה|ยอดยกมา',
  ].join('|')})${afterLabel}`,
  'u',
);

/** Matches a label without a word for the opening or the closing balance, and the day of the balance. */
const datedBalance =
  /^(balance|saldo|konto(saldo|stand)|solde)( (a|al|am|as (of|at)|at|au|na( dzien)?|on|per|vom|zum))? (?<day>\d{1,4}[./-]\d{1,2}[./-]\d{2,4})(:|:? [^\p{L}]*\d( ?\p{L}{3})?| ?\p{Sc})?$/u;

const textMax = 60;

/** Returns whether a text is the label of a balance of the whole statement. A date or an amount may follow the label. */
export function isStatedBalanceText(text: string): boolean {
  return (
    text.length <= textMax && [closingBalance, openingBalance, datedBalance].some((name) => name.test(foldText(text)))
  );
}

/** Returns the text of the day in a label such as `Kontostand am 31.03.2026`; undefined if the text is not such a label. */
export function findStatedDay(text: string): string | undefined {
  return text.length <= textMax ? datedBalance.exec(foldText(text))?.groups?.day : undefined;
}
