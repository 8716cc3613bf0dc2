import type { StatementRow, StatementTransaction } from '../statement-row.js';
import { cutText, descriptionCharactersMax, merchantCharactersMax } from '../tidy-text.js';
import { type ColumnPositions, type CsvColumnName, requirePositions } from './csv-columns.js';
import type { CsvPlan } from './csv-plan.js';
import { canSignMean } from './currency-signs.js';
import { compileDateFormat, type DateReader } from './date-format.js';
import { type AmountPlace, decideDirection } from './decide-direction.js';
import { readDirectionWord } from './direction-words.js';
import { findBalance } from './find-balance.js';
import { findOwnExport, type OwnExport } from './own-export.js';
import { type ParsedAmount, parseAmount } from './parse-amount.js';
import { type CellsInHand, cellOf, nameIn } from './read-cell.js';
import { readIdentity } from './read-identity.js';
import { describeRepeated, findRepeatedColumns, isDivided, type RepeatedColumn } from './repeated-headers.js';
import { isPendingWord, readStatus } from './status-words.js';

/**
 * Makes the reader of one file's rows: cells in, a transaction, a skipped row or a failure with its reason out. It is
 * pure, so a row reads the same in a dry run, a first import and a repeated one.
 */
export function csvRowReader(plan: CsvPlan): (line: number, cells: readonly string[]) => StatementRow {
  const positions = requirePositions(plan.columns, plan.headers);
  const readDate = compileDateFormat(plan.dateFormat);
  if (readDate === undefined) throw new RangeError(`Not a date format: ${plan.dateFormat}`);
  const identityPositions = requirePositions(plan.identity, plan.headers);
  const own = findOwnExport(plan.headers);
  const repeated = findRepeatedColumns(plan.columns, plan.headers);
  const file = { plan, positions, repeated, identityPositions, readDate, own, isOwn: own !== undefined };
  return (line, cells) => readRow({ ...file, line, cells });
}

interface RowInHand extends CellsInHand {
  readonly plan: CsvPlan;
  readonly repeated: readonly RepeatedColumn[];
  readonly identityPositions: ColumnPositions;
  readonly readDate: DateReader;
  /** Undefined for a file that Centavo has not written. */
  readonly own: OwnExport | undefined;
  readonly line: number;
}

function readRow(row: RowInHand): StatementRow {
  const { line, cells, plan } = row;
  const failure = (reason: string): StatementRow => ({ line, outcome: 'failure', reason });
  // A missing or extra delimiter shifts every cell behind it, and a shifted row can look like a good one.
  const widths = `${cells.length} cells where the headers are ${plan.headers.length}`;
  if (cells.length < widthWithoutEmptyEnd(plan.headers)) return failure(`it has ${widths}`);
  if (cells.slice(plan.headers.length).some((cell) => cell.trim() !== '')) return failure(`it has ${widths}`);

  const long = findLongCell(row);
  if (long !== undefined) return failure(long);
  const divided = row.repeated.find((column) => isDivided(cells, column));
  if (divided !== undefined) return failure(`its ${describeRepeated(divided)}, and differ`);

  const dateText = cellOf(row, 'date') ?? '';
  const left = findReasonLeft(row, dateText);
  if (left !== undefined) return { line, outcome: 'skipped', reason: left };
  if (dateText === '') return failure('it has no date');
  const balance = findBalance(cells, row.positions);
  if (balance !== undefined) {
    return failure(`"${balance.text}" looks like a ${balance.kind} and not like a transaction`);
  }
  const occurredOn = row.readDate(dateText);
  if (occurredOn === undefined) return failure(`"${dateText}" is not a date written as ${plan.dateFormat}`);

  const amount = readAmount(row);
  if ('isZero' in amount) return { line, outcome: 'skipped', reason: 'its amount is zero' };
  if ('reason' in amount) return failure(amount.reason);
  const currencyCode = cellOf(row, 'currency')?.toUpperCase() ?? amount.currencyCode ?? null;
  if (currencyCode !== null && !/^[A-Z]{3}$/.test(currencyCode)) {
    return failure(`"${currencyCode}" is not a currency code`);
  }
  if (amount.currencyCode !== undefined && amount.currencyCode !== currencyCode) {
    return failure(`its amount is in ${amount.currencyCode}, and its currency ${currencyCode}`);
  }
  const { currencySign } = amount;
  if (currencySign !== undefined && currencyCode !== null && !canSignMean(currencySign, currencyCode)) {
    return failure(`its amount is in ${currencySign}, and its currency ${currencyCode}`);
  }
  const merchantName = nameIn(row, 'merchant');
  return {
    line,
    outcome: 'transaction',
    transaction: {
      direction: amount.direction,
      amountDecimal: amount.amountDecimal,
      currencyCode,
      ...(currencyCode === null && currencySign !== undefined && { currencySign }),
      occurredOn,
      description: cutText(cellOf(row, 'description') ?? '', descriptionCharactersMax) || null,
      merchantName: merchantName === null ? null : cutText(merchantName, merchantCharactersMax),
      categoryName: nameIn(row, 'category'),
      accountName: nameIn(row, 'account'),
      statementId: null,
      ...row.own?.readOrigin(cells),
      identity: readIdentity(
        { ...row, positions: row.identityPositions },
        { ...row, occurredOn, amountDecimal: amount.amountDecimal, decimalSeparator: plan.decimalSeparator },
      ),
    },
  };
}

/** A name must not be cut, since it would be another one, and a huge cell would only fill messages and requests. */
function findLongCell({ cells, plan, positions }: RowInHand): string | undefined {
  for (const [name, header] of Object.entries(plan.columns) as [CsvColumnName, string][]) {
    const { length } = cells[positions[name] ?? -1] ?? '';
    const isCut = name === 'description' || name === 'merchant';
    if (!isCut && length > cellCharactersMax) return `its column "${header}" holds ${length} characters`;
  }
  return undefined;
}

/** Far more than any date, amount, word or name has; those of the API end at 100. */
const cellCharactersMax = 1000;

/** Why a row is left out that a bank may still change or drop, or that moves nothing; undefined: it is final. */
function findReasonLeft(row: RowInHand, dateText: string): string | undefined {
  const status = cellOf(row, 'status') ?? '';
  const kind = isPendingWord(dateText) ? 'pending' : readStatus(status, row.plan.finalStatuses);
  if (kind === 'pending') return 'it is pending';
  if (kind === 'discarded') return `it did not happen ("${status}")`;
  return kind === 'takenBack' ? `it was taken back ("${status}")` : undefined;
}

type ReadAmount =
  | (Pick<StatementTransaction, 'direction'> & Pick<ParsedAmount, 'amountDecimal' | 'currencyCode' | 'currencySign'>)
  | { readonly isZero: true }
  | { readonly reason: string };

function readAmount(row: RowInHand): ReadAmount {
  const found = findAmount(row);
  if (!('place' in found)) return found;
  const parsed = parseAmount(found.text, row.plan.decimalSeparator);
  if (parsed === undefined) return { reason: `"${found.text}" is not an amount` };
  if (parsed.amountDecimal === '0') return { isZero: true };
  const direction = decideDirection(found.place, parsed.mark, row.plan);
  if (direction === undefined) {
    return { reason: `the sign of "${found.text}" contradicts "${cellOf(row, 'direction') ?? ''}"` };
  }
  return { ...parsed, direction };
}

type FoundAmount = { place: AmountPlace; text: string } | { isZero: true } | { reason: string };

function findAmount(row: RowInHand): FoundAmount {
  if (row.positions.amount === undefined) return findInTwoColumns(row);
  const text = cellOf(row, 'amount');
  if (text === undefined) return { reason: 'it has no amount' };
  if (row.positions.direction === undefined) return { place: 'amount', text };
  const word = cellOf(row, 'direction') ?? '';
  const direction = readDirectionWord(word, row.plan.words);
  if (direction === undefined) {
    return { reason: `"${word}" says neither expense nor income (--expense-word, --income-word)` };
  }
  return { place: direction === 'expense' ? 'expense-word' : 'income-word', text };
}

/** Banks fill the other column with nothing or with a zero. */
function findInTwoColumns(row: RowInHand): FoundAmount {
  const isFilled = (text: string | undefined): text is string =>
    text !== undefined && parseAmount(text, row.plan.decimalSeparator)?.amountDecimal !== '0';
  const [debit, credit] = [cellOf(row, 'debit'), cellOf(row, 'credit')];
  if (isFilled(debit) && isFilled(credit)) return { reason: 'it has both a debit and a credit' };
  if (isFilled(debit)) return { place: 'debit', text: debit };
  if (isFilled(credit)) return { place: 'credit', text: credit };
  return debit === undefined && credit === undefined
    ? { reason: 'it has neither a debit nor a credit' }
    : { isZero: true };
}

/** Trailing headers that are empty need no cell, unless none has a name: then the first row tells how many there are. */
function widthWithoutEmptyEnd(headers: readonly string[]): number {
  return headers.findLastIndex((header) => header.trim() !== '') + 1 || headers.length;
}
