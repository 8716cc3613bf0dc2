import { StatementError } from '../../statement-error.js';
import { isAmountCell, plainCell } from '../table/cells.js';
import { type CsvColumnName, type CsvColumns, canonicalHeader, requirePositions } from '../table/columns.js';
import { chargedAmountHeaders, headerWords } from '../table/header-names.js';
import { readValue } from './find-amount-columns.js';

/** A guessed column of amounts, and a column that may have the amounts instead. */
interface Rival {
  readonly name: 'amount' | 'debit' | 'credit';
  readonly position: number;
  readonly other: number;
}

/**
 * Refuses a guessed amount, debit or credit column if another column has different amounts and the same header. A currency in the header
 * is ignored: `Betrag` and `Betrag in EUR` are the same header. In a file without a currency column, a guessed amount column is also
 * refused if it differs from a column such as `Billed Amount`, which has the amounts that the card was charged. Columns with exactly the
 * same header are no rivals here, because `findRepeatedColumns` finds them.
 */
export class RivalAmounts {
  readonly #headers: readonly string[];
  readonly #rivals: readonly Rival[];
  /** The first rival whose amount differs in some row. */
  #differing: Rival | undefined;

  constructor(
    columns: CsvColumns,
    { headers, guessed }: { readonly headers: readonly string[]; readonly guessed: ReadonlySet<CsvColumnName> },
  ) {
    this.#headers = headers;
    const positions = requirePositions(columns, headers);
    // If the file has a currency column, the choice of the amount column is clear: the currency column shows whether an amount is in the
    // currency of the merchant or of the card.
    const isCharged = (header: string) =>
      columns.currency === undefined && chargedAmountHeaders.has(headerWords(header));
    this.#rivals = (['amount', 'debit', 'credit'] as const).flatMap((name) => {
      const position = positions[name];
      const own = headers[position ?? -1] ?? '';
      const words = headerWords(own);
      if (position === undefined || !guessed.has(name) || words === '') return [];
      const isRival = (header: string) =>
        canonicalHeader(header) !== canonicalHeader(own) &&
        (headerWords(header) === words || (name === 'amount' && isCharged(header)));
      return headers.flatMap((header, other) =>
        other !== position && isRival(header) ? [{ name, position, other }] : [],
      );
    });
  }

  /** Adds a row with a date and an amount. */
  add(cells: readonly string[]): void {
    this.#differing ??= this.#rivals.find(
      ({ position, other }) =>
        cells[other] !== cells[position] &&
        isAmountCell(cells[other] ?? '') &&
        readValue(plainCell(cells[other] ?? '')) !== readValue(plainCell(cells[position] ?? '')),
    );
  }

  /** @throws StatementError that names both columns */
  requireNone(): void {
    if (this.#differing === undefined) return;
    const { name, position, other } = this.#differing;
    throw new StatementError(
      `It is not clear which column has the ${name}: "${this.#headers[position]?.trim()}" or "${this.#headers[other]?.trim()}".`,
      `Name it with --${name}-column.`,
    );
  }
}
