import { rowClassifier } from '../lines/row-kind.js';
import { type CsvPlan, noPendingRows, type PendingRows } from '../plan/plan.js';
import { csvRowReader } from '../row/row.js';
import {
  cellOf,
  findMemoPositions,
  findPendingFlag,
  isFlagSet,
  isMemo,
  isPendingStatus,
  plainCell,
  readStatus,
} from '../table/cells.js';
import { type ColumnPositions, requirePositions } from '../table/columns.js';
import { headerWords, otherRowIdHeaders, transactionIdHeaders } from '../table/header-names.js';
import { recordsBelowHeaders } from '../table/reader.js';
import {
  namesHold,
  namesReversal,
  pairOpposites,
  pairReversals,
  type ReversibleRow,
  withoutReversalWords,
} from './reversals.js';
import { UnreversedRows } from './unreversed-rows.js';

/**
 * Describes the rows that are booked or skipped in spite of their status, as in
 * `the balance includes line 3, so it is booked; line 5 reverses line 4`. Returns undefined if there are no such rows.
 */
export function describePending({ finalLines, reversals, recordedReversals }: PendingRows): string | undefined {
  const reversed = new Set([...recordedReversals].flat());
  const final = [...finalLines].filter((line) => !reversed.has(line));
  const parts = [
    ...final.slice(0, describedMax).map((line) => `the balance includes line ${line}, so it is booked`),
    ...[...reversals].slice(0, describedMax).map(([line, other]) => `line ${line} reverses line ${other}`),
    ...[...recordedReversals]
      .slice(0, describedMax)
      .map(([line, other]) => `line ${line} reverses line ${other}, so both are booked`),
  ];
  const more = final.length + reversals.size + recordedReversals.size - parts.length;
  return parts.length === 0 ? undefined : parts.join('; ') + (more > 0 ? ` and ${more} more` : '');
}

const describedMax = 5;

/** A row, and whether the running balance includes it. */
interface Row extends ReversibleRow {
  readonly balance: bigint | undefined;
  readonly isFinal: boolean;
  /** Whether PayPal calls the row an authorization or its void (see the function `isMemo`), so that it does not change the balance. */
  readonly isMemo: boolean;
  /** Whether the running balance includes the amount of the row, if the oldest row of the file comes first. */
  countsDown: boolean;
  /** Whether the running balance includes the amount of the row, if the newest row of the file comes first. */
  countsUp: boolean;
}

/**
 * Finds rows that must be imported or skipped in spite of their status. A row is not final if its status says that it is pending, did not
 * happen or is reversed, if its date cell or a flag says that it is pending, or if the user declared its status not final. If the running
 * balance includes the amount of such a row, the row is imported as final.
 *
 * A final row can reverse a row that is not final. If it reverses a pending row, such as an authorization, both rows are skipped, because
 * no money moved. If it reverses a row with a status such as `Reversed`, both rows are recorded, because the money went out and came back,
 * and because an earlier export may show the reversed row as booked. A final row reverses another row if the rows have opposite amounts
 * in one currency, the running balance includes neither amount, a pending row is not newer than the final row, and one of these is true:
 *   - the final row refers to the id of the other row;
 *   - the final row refers to no id, contains words for the reversal of a hold, and shares a text with the other row or has no text;
 *   - the final row refers to no id, contains a word for a reversal or the status of the other row says that it is reversed, the two share
 *     a text, and no final row has the same amount and text as the other row.
 *
 * Here, a text is the description or the merchant, without words for a reversal. In the last two cases, the final row reverses no row if
 * several rows fit and one of them has a status such as `Reversed`. A reversal reverses a final hold with the opposite amount if there is
 * one, and both are recorded: PayPal lists a pending authorization, and a completed hold for it.
 *
 * If neither row names a hold or an authorization, and the final row only shares a text with a pending row, the final row fails: it may also
 * reverse a payment of an earlier file.
 *
 * Two rows with a status such as `Reversed` also reverse each other if they have opposite amounts in one currency and share a text. Both
 * are recorded, unless a balance shows that no money moved.
 *
 * A row with a status such as `Reversed` is returned in `unreversed` if no row of the file reverses it.
 *
 * The function reads the whole file again. Call it only for files with rows that are not final.
 */
export async function findPendingRows(
  plan: CsvPlan,
): Promise<{ readonly pending: PendingRows; readonly unreversed: UnreversedRows }> {
  const notFinal: Row[] = [];
  const candidates: Row[] = [];
  const before = new Map<string | null, Row>();
  let [votesDown, votesUp] = [0, 0];
  for await (const row of readFinalOrNot(plan)) {
    const previous = before.get(row.currency);
    if (previous?.balance !== undefined && row.balance !== undefined) {
      row.countsDown = previous.balance + row.amount === row.balance;
      previous.countsUp = row.balance + previous.amount === previous.balance;
      votesDown += row.countsDown ? 1 : 0;
      votesUp += previous.countsUp ? 1 : 0;
    }
    if (row.balance !== undefined) before.set(row.currency, row);
    if (!row.isFinal || (row.isMemo && !row.isReversal)) notFinal.push(row);
    else {
      const isLikely = row.reference !== '' || row.isReversal;
      if (candidates.length < (isLikely ? candidatesMax : candidatesMax / 2)) candidates.push(row);
    }
  }
  const counts = (row: Row) => (votesDown >= votesUp ? row.countsDown : row.countsUp);
  const uncounted = notFinal.filter((row) => !counts(row));
  const { pairs, unclear } = pairReversals(
    candidates.filter((row) => !counts(row)),
    uncounted,
  );
  const reversed = new Map(uncounted.filter(({ isReversed }) => isReversed).map((row) => [row.line, row]));
  const recordedPairs = [...pairs].filter(([, line]) => reversed.has(line));
  for (const [, line] of recordedPairs) reversed.delete(line);
  for (const [one, other] of pairOpposites([...reversed.values()])) {
    reversed.delete(one.line);
    reversed.delete(other.line);
    const isUnknown = one.balance === undefined && other.balance === undefined;
    if (isUnknown) recordedPairs.push([one.line, other.line]);
  }
  const recordedReversals = new Map(recordedPairs);
  const inBalance = [...notFinal, ...candidates.filter(({ isMemo }) => isMemo)].filter(counts);
  const pending = {
    finalLines: new Set([...inBalance.map(({ line }) => line), ...recordedPairs.flat()]),
    reversals: new Map([...pairs].filter(([line]) => !recordedReversals.has(line))),
    recordedReversals,
    unclearReversals: unclear,
  };
  return { pending, unreversed: new UnreversedRows([...reversed.values()]) };
}

/** The maximum number of stored rows that may be reversals. Half of this number is reserved for rows with a reference or reversal word. */
const candidatesMax = 100_000;

/** Yields each transaction of a file, as if all rows were final. */
async function* readFinalOrNot(plan: CsvPlan): AsyncGenerator<Row> {
  const { headers } = plan.dialect;
  const everyLine = { has: () => true, size: 0, *[Symbol.iterator]() {} };
  const readRow = csvRowReader({
    ...plan,
    specialRows: { ...plan.specialRows, pending: { ...noPendingRows, finalLines: everyLine } },
  });
  const positions = requirePositions(plan.columns.roles, headers);
  const classify = rowClassifier({ headers, positions });
  const places = findPlaces(headers);
  const pendingFlag = findPendingFlag(headers);
  const memo = findMemoPositions(headers);
  for await (const record of recordsBelowHeaders(plan.source, plan.dialect)) {
    if (!('cells' in record) || classify(record.cells) !== 'row') continue;
    const { line, cells } = record;
    const { row, balance } = readRow(line, cells);
    if (row.outcome !== 'transaction') continue;
    const { direction, amountDecimal, currencyCode, occurredOn, description, merchantName } = row.transaction;
    const units = toUnits(amountDecimal);
    const textAt = (place: number) => plainCell(cells[place] ?? '');
    const status = textAt(positions.status ?? -1);
    yield {
      line,
      currency: currencyCode,
      amount: direction === 'expense' ? -units : units,
      balance: balance === undefined ? undefined : toUnits(balance),
      isFinal: !isFlagSet(cells[pendingFlag]) && hasFinalStatus(cells, { plan, positions }),
      isMemo: isMemo(cells, memo),
      id: textAt(places.id),
      reference: textAt(places.reference),
      texts: [description, merchantName].map(withoutReversalWords).filter((text) => text !== ''),
      day: occurredOn,
      isReversal: cells.some(namesReversal),
      namesHold: cells.some(namesHold),
      status,
      isReversed: readStatus(status, plan.formats.declaredStatuses) === 'reversed',
      countsDown: false,
      countsUp: false,
    };
  }
}

function findPlaces(headers: readonly string[]): { id: number; reference: number } {
  const known = headers.map(headerWords);
  return {
    id: known.findIndex((header) => transactionIdHeaders.has(header)),
    reference: known.findIndex((header) => otherRowIdHeaders.has(header)),
  };
}

function hasFinalStatus(
  cells: readonly string[],
  { plan, positions }: { plan: CsvPlan; positions: ColumnPositions },
): boolean {
  const row = { cells, positions, isCentavoExport: false };
  if (isPendingStatus(cellOf(row, 'date') ?? '')) return false;
  const kind = readStatus(cellOf(row, 'status') ?? '', plan.formats.declaredStatuses);
  return kind === 'final' || kind === 'unknown';
}

/** Converts a decimal number to ten-thousandths. Ignores further decimal places. */
function toUnits(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const units = BigInt(whole + fraction.slice(0, 4).padEnd(4, '0'));
  return decimal.startsWith('-') ? -units : units;
}
