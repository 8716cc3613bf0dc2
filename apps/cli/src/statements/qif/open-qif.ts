import { UsageError } from '../../cli-error.js';
import { compileDateFormat } from '../csv/date-format.js';
import { DateFormatDetector } from '../csv/detect-date-format.js';
import { type DecimalSeparator, decimalEvidence } from '../csv/parse-amount.js';
import { settleDateFormat } from '../csv/settle-date-format.js';
import { chooseEncoding } from '../markup/choose-encoding.js';
import { type AccountRow, openWithAccounts } from '../open-with-accounts.js';
import type { OpenedStatement, OpenStatementRequest } from '../statement-format.js';
import { plainQifDate, plainQifDateFormat } from './plain-qif-date.js';
import { readQifRecords } from './read-qif-records.js';
import { type QifPlan, readQifTransaction } from './read-qif-transaction.js';

/**
 * Opens a QIF file. It says neither in which order its dates are written nor what separates decimals; the whole file
 * decides, as in CSV, and the flags for these settle what it leaves open.
 *
 * @throws UsageError (exit 2) for a file that cannot be read, has no transactions, or leaves two readings open
 */
export async function openQif({ path, csv, onlyAccounts }: OpenStatementRequest): Promise<OpenedStatement> {
  const encoding = await chooseEncoding({ path, wished: csv.encoding, head: '' });
  const { plan, recordCount, note, advice } = await surveyRecords({ ...csv, path, encoding });
  return openWithAccounts({
    path,
    format: 'qif',
    read: () => readRows({ path, encoding }, plan),
    only: onlyAccounts,
    reading: {
      doubt: null,
      advice: advice ?? null,
      lines: [
        ['date format', plan.dateFormat + (note === undefined ? '' : ` (${note})`)],
        ['decimals', plan.decimalSeparator === '.' ? '1,234.56' : '1.234,56'],
        ['encoding', encoding],
        ['transactions', String(recordCount)],
      ],
      save: async () => {
        throw new UsageError('--save-mapping is for CSV: QIF has no headers to know a file by.', 'Leave it out.');
      },
    },
  });
}

async function* readRows(file: { path: string; encoding: string }, plan: QifPlan): AsyncGenerator<AccountRow> {
  for await (const record of readQifRecords(file.path, file.encoding)) {
    const account =
      record.account === null
        ? null
        : { number: record.account.name, detail: '', type: record.account.type, currencyCode: null };
    for (const row of readQifTransaction(record, plan)) yield { account, row };
  }
}

async function surveyRecords(
  file: { path: string; encoding: string } & Pick<OpenStatementRequest['csv'], 'dateFormat' | 'decimalSeparator'>,
) {
  const wished = file.dateFormat === undefined ? undefined : plainQifDateFormat(file.dateFormat);
  const dates = new DateFormatDetector(wished);
  const separators = new Map<ReturnType<typeof decimalEvidence>, string>();
  let recordCount = 0;
  for await (const { fields, splits } of readQifRecords(file.path, file.encoding)) {
    recordCount += 1;
    const date = fields.get('D');
    if (date !== undefined) dates.see(plainQifDate(date));
    const amounts = [fields.get('T') ?? fields.get('U') ?? '', ...splits.map(({ amount }) => amount)];
    for (const amount of amounts) separators.set(decimalEvidence(amount), amount);
  }
  if (recordCount === 0 || (wished === undefined && !dates.hasDates)) {
    throw new UsageError(
      `${file.path} has no transactions of QIF.`,
      'Export the statement again, with its transactions.',
    );
  }
  const decimalSeparator = file.decimalSeparator ?? decideSeparator(separators);
  const settled = settleDateFormat({
    dates,
    wished,
    saved: undefined,
    hasDecimalComma: decimalSeparator === ',',
    dateColumn: 'D',
  });
  const { dateFormat } = settled;
  const readDate = compileDateFormat(dateFormat);
  if (readDate === undefined) throw new RangeError(`Not a date format: ${dateFormat}`);
  const plan: QifPlan = { readDate, dateFormat, decimalSeparator };
  return { plan, recordCount, note: settled.dateFormatNote, advice: settled.dateAdvice };
}

/** @throws UsageError (exit 2) where the amounts leave both open, or speak for both */
function decideSeparator(examples: ReadonlyMap<string, string>): DecimalSeparator {
  const [point, comma, either] = [examples.get('.'), examples.get(','), examples.get('either')];
  if (point !== undefined && comma === undefined) return '.';
  if (comma !== undefined && point === undefined) return ',';
  if (point === undefined && either === undefined) return '.';
  throw new UsageError(
    point === undefined
      ? `The amount "${either}" can be thousands or have three decimals.`
      : `"${point}" is written with a decimal point and "${comma}" with a decimal comma.`,
    'Say which with --decimal-separator . or --decimal-separator ,',
  );
}
