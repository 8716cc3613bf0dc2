import { UsageError } from '../../cli-error.js';
import { type CsvColumns, requirePositions } from './csv-columns.js';
import type { CsvPlan, CsvWishes } from './csv-plan.js';
import { type AmountPlace, emptyMarkCounts } from './decide-direction.js';
import { DateFormatDetector } from './detect-date-format.js';
import { directionWords, readDirectionWord } from './direction-words.js';
import { type DecimalSeparator, decimalEvidence, findAmountMark } from './parse-amount.js';
import { isPendingWord } from './pending-words.js';
import { readLines } from './read-lines.js';
import { type CsvRecord, readRecords } from './read-records.js';
import type { RememberedReading } from './saved-mapping.js';
import { settleDateFormat } from './settle-date-format.js';

/** A file whose headers are known, and what is wished about the reading of its rows. */
export type SurveyRequest = Pick<CsvPlan, 'path' | 'encoding' | 'delimiter' | 'headerLine' | 'headers' | 'columns'> &
  Pick<CsvWishes, 'dateFormat' | 'decimalSeparator' | 'expenseWords' | 'incomeWords'> & {
    /** Whether the direction column is a guess, to be dropped when its words say nothing. */
    readonly isDirectionGuessed: boolean;
    /** What a saved mapping says; it decides only where the file itself does not. */
    readonly saved: Pick<RememberedReading, 'dateFormat' | 'decimalSeparator'> | undefined;
  };

/**
 * Reads a whole file once, in constant memory, to learn what no single row can tell: the date format, the decimal
 * separator, the habit of signs, and how many rows there are.
 *
 * @throws UsageError (exit 2) naming the flag that settles it, where the file alone leaves two readings open
 */
export async function surveyRows(request: SurveyRequest): Promise<CsvPlan> {
  const { path, encoding, delimiter, headerLine, headers, columns } = request;
  const positions = requirePositions(columns, headers);
  const words = directionWords(request.expenseWords, request.incomeWords);
  const { saved } = request;
  const dates = new DateFormatDetector(request.dateFormat ?? saved?.dateFormat);
  const separators = new SeparatorVote();
  const marks = emptyMarkCounts();
  let rowCount = 0;
  const seenWords = { explained: 0, unknown: 0 };
  for await (const record of rowsBelow({ path, encoding, delimiter, headerLine })) {
    rowCount += 1;
    if (!('cells' in record)) continue;
    const cell = (name: keyof CsvColumns) => record.cells[positions[name] ?? -1]?.trim() ?? '';
    if (cell('date') === '') continue;
    if (!isPendingWord(cell('date'))) dates.see(cell('date'));
    const word = readDirectionWord(cell('direction'), words);
    seenWords[word === undefined ? 'unknown' : 'explained'] += 1;
    const count = (place: AmountPlace, text: string) => {
      const mark = findAmountMark(text);
      if (mark !== undefined) marks[place][mark] += 1;
    };
    for (const name of ['amount', 'debit', 'credit'] as const) {
      separators.see(cell(name));
      count(name, cell(name));
    }
    if (word !== undefined) count(word === 'expense' ? 'expense-word' : 'income-word', cell('amount'));
  }
  const { direction, ...withoutDirection } = columns;
  // A guessed column that says little where signs say all is one of kinds ("transfer", "refund"), not of directions.
  const isMistaken =
    request.isDirectionGuessed && (seenWords.explained === 0 || (seenWords.unknown > 0 && marks.amount.minus > 0));
  return {
    path,
    encoding,
    delimiter,
    headerLine,
    headers,
    columns: isMistaken ? withoutDirection : columns,
    ...settleDateFormat({ dates, wished: request.dateFormat, saved: saved?.dateFormat }),
    decimalSeparator: request.decimalSeparator ?? separators.requireSeparator(saved?.decimalSeparator),
    words,
    marks,
    rowCount,
  };
}

/** The records below the headers of a file; the preamble above them need not be CSV at all. */
export async function* rowsBelow(
  plan: Pick<CsvPlan, 'path' | 'encoding' | 'delimiter' | 'headerLine'>,
): AsyncGenerator<CsvRecord> {
  for await (const record of readRecords(readLines(plan.path, plan.encoding), plan.delimiter)) {
    if (record.line > plan.headerLine) yield record;
  }
}

/** What the amounts of a file say about their decimal separator; two opinions are none. */
class SeparatorVote {
  readonly #examples = new Map<DecimalSeparator | 'either' | 'none', string>();

  see(cell: string): void {
    if (cell !== '') this.#examples.set(decimalEvidence(cell), cell);
  }

  /** @param saved what to believe where the amounts leave both open */
  requireSeparator(saved: DecimalSeparator | undefined): DecimalSeparator {
    const [point, comma] = [this.#examples.get('.'), this.#examples.get(',')];
    const undecided = this.#examples.get('either');
    if (point !== undefined && comma !== undefined) {
      throw new UsageError(
        `"${point}" is written with a decimal point and "${comma}" with a decimal comma.`,
        'Say which with --decimal-separator; rows written the other way will fail.',
      );
    }
    if (point !== undefined || comma !== undefined) return point === undefined ? ',' : '.';
    if (saved !== undefined) return saved;
    if (undecided === undefined) return '.';
    throw new UsageError(
      `The amount "${undecided}" can be thousands or have three decimals.`,
      'Say which with --decimal-separator . or --decimal-separator ,',
    );
  }
}
