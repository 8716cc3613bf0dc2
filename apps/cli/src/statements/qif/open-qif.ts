import { UsageError } from '../../errors.js';
import { CategoryNames } from '../category-names.js';
import { compileDateFormat } from '../csv/date-format.js';
import { DateFormatDetector } from '../csv/detect-date-format.js';
import { SeparatorVote } from '../csv/separator-vote.js';
import { settleDateFormat } from '../csv/settle-date-format.js';
import { chooseEncoding } from '../markup/choose-encoding.js';
import { type AccountRow, openWithAccounts } from '../open-with-accounts.js';
import type { OpenedStatement, OpenStatementRequest } from '../statement-format.js';
import { plainQifDate, plainQifDateFormat } from './plain-qif-date.js';
import { readQifRecords } from './read-qif-records.js';
import { type QifPlan, readQifCategory, readQifTransaction } from './read-qif-transaction.js';

/**
 * Opens a QIF file. It says neither in which order its dates are written nor what separates decimals; the whole file
 * decides, as in CSV, and the flags for these settle what it leaves open.
 *
 * @throws UsageError (exit 2) for a file that cannot be read, has no transactions, or leaves two readings open
 */
export async function openQif({ path, csv, onlyAccounts }: OpenStatementRequest): Promise<OpenedStatement> {
  const encoding = await chooseEncoding({ path, wished: csv.encoding, head: '' });
  const { plan, recordCount, categoryNames, note, advice } = await surveyRecords({ ...csv, path, encoding });
  const statement = await openWithAccounts({
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
  return categoryNames.size === 0
    ? statement
    : { ...statement, categories: { names: categoryNames, areAskedFor: false } };
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
  const separators = new SeparatorVote();
  const categories = new CategoryNames();
  let recordCount = 0;
  for await (const { fields, splits } of readQifRecords(file.path, file.encoding)) {
    recordCount += 1;
    const date = fields.get('D');
    if (date !== undefined) dates.see(plainQifDate(date));
    const amounts = [fields.get('T') ?? fields.get('U') ?? '', ...splits.map(({ amount }) => amount)];
    for (const amount of amounts) separators.see(amount);
    for (const category of [fields.get('L') ?? '', ...splits.map((split) => split.category)]) {
      categories.see(readQifCategory(category) ?? '');
    }
  }
  if (recordCount === 0 || (wished === undefined && !dates.hasDates)) {
    throw new UsageError(
      `${file.path} has no transactions of QIF.`,
      'Export the statement again, with its transactions.',
    );
  }
  const decimalSeparator = file.decimalSeparator ?? separators.requireSeparator(undefined);
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
  const { dateFormatNote: note, dateAdvice: advice } = settled;
  return { plan, recordCount, categoryNames: categories.names, note, advice };
}
