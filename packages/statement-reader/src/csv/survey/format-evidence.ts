import { StatementError } from '../../statement-error.js';
import { DecimalSeparatorDetector } from '../../values/amounts.js';
import { type ChosenDateFormat, chooseDateFormat } from '../../values/choose-date-format.js';
import { DateFormatDetector } from '../../values/detect-date-format.js';
import { mayUseEras } from '../../values/eras.js';
import type { Formats } from '../plan/plan.js';
import { isDateCell, isPendingStatus } from '../table/cells.js';
import type { ColumnPositions } from '../table/columns.js';
import { isDateHeader } from '../table/detect-columns-by-header.js';
import type { SurveyRequest } from './survey-request.js';
import { type SurveyedRow, textAt } from './surveyed-row.js';

/** Collects evidence about the formats of the dates and the amounts. */
export class FormatEvidence {
  readonly #request: SurveyRequest;
  readonly #dates: DateFormatDetector;
  readonly #separators = new DecimalSeparatorDetector();
  readonly #balanceSeparators = new DecimalSeparatorDetector();
  readonly #otherDatePositions: readonly number[];
  /** The first text in the date column that is not a pending status; undefined if there is none. */
  #firstDate: string | undefined;

  constructor(request: SurveyRequest, positions: ColumnPositions) {
    const { dialect, columns, options, saved } = request;
    this.#request = request;
    this.#dates = new DateFormatDetector(options.dateFormat ?? saved?.dateFormat, {
      isYearUsuallyFirst: mayUseEras(columns.date),
    });
    this.#otherDatePositions = dialect.headers.flatMap((header, index) =>
      isDateHeader(header) && index !== positions.date ? [index] : [],
    );
  }

  addDates({ date, cells }: SurveyedRow): void {
    if (!isPendingStatus(date)) {
      this.#firstDate ??= date;
      this.#dates.add(date);
    }
    for (const position of this.#otherDatePositions) this.#dates.addOtherDate(textAt(cells, position));
  }

  addAmounts({ debit, credit, fee, amount, cells }: SurveyedRow): void {
    for (const text of [debit, credit, fee, amount]) this.#separators.add(text);
    this.#balanceSeparators.add(textAt(cells, this.#request.balancePosition));
  }

  /**
   * Chooses the formats from the options, the saved mapping and the cells.
   * @throws StatementError if the cells can be read in several formats, or if no date has a known format
   */
  choose(): Pick<Formats, 'decimalSeparator'> & ChosenDateFormat {
    const { options, saved, columns } = this.#request;
    const fallback = saved?.decimalSeparator ?? this.#balanceSeparators.evidence;
    const decimalSeparator = options.decimalSeparator ?? this.#separators.requireSeparator(fallback);
    if (options.dateFormat === undefined && saved === undefined) this.#requireReadableFirstDate();
    const chosen = chooseDateFormat({
      dates: this.#dates,
      requested: options.dateFormat,
      saved: saved?.dateFormat,
      dateColumn: columns.date,
    });
    return { decimalSeparator, ...chosen };
  }

  /**
   * Refuses a file without headers if its first date has an unknown format, and another date has a known format. Only the user knows
   * whether the first row is a transaction, and whether other rows also have the unknown date format.
   */
  #requireReadableFirstDate(): void {
    const { dialect, columns } = this.#request;
    const hasHeaders = dialect.headers.some((header) => header.trim() !== '');
    const first = this.#firstDate;
    if (hasHeaders || first === undefined || isDateCell(first) || !this.#dates.hasDates) return;
    throw new StatementError(
      `The first row has "${first}" in "${columns.date}", which is not a date in a known format.`,
      'Set the date format with --date-format. Rows with dates in other formats fail and are listed.',
    );
  }
}
