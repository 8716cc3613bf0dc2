import { Readable } from 'node:stream';
import { openWithAccounts } from '../accounts.js';
import { CardSigns, reversedSigns } from '../card-signs.js';
import { chooseEncoding } from '../encoding.js';
import type { OpenStatementRequest } from '../options.js';
import type { StatementSource } from '../source.js';
import type { OpenedStatement } from '../statement.js';
import { StatementError } from '../statement-error.js';
import type { AccountRow } from '../survey-accounts.js';
import { CategoryNames } from '../texts.js';
import { type DecimalSeparator, parseAmount } from '../values/amounts.js';
import { chooseDateFormat } from '../values/choose-date-format.js';
import { compileDateFormat } from '../values/dates.js';
import { DecimalSeparatorDetector } from '../values/detect-decimal-separator.js';
import { plainQifDateFormat, QifDates } from './dates.js';
import { isEmptyQif, readQifRecords } from './records.js';
import { findQifBalanceReason, type QifPlan, readQifCategory, readQifTransaction } from './transaction.js';

/**
 * Opens a QIF file. The format does not define the order of day and month, or the decimal separator. As in CSV, both are
 * detected from the whole file. If they are ambiguous, the user must set them with options.
 * @throws StatementError if the file cannot be read, contains no statement, or can be read in two ways
 */
export async function openQif(request: OpenStatementRequest): Promise<OpenedStatement> {
  const { source, csv } = request;
  const encoding = await chooseEncoding({ source, requested: csv.encoding, head: '' });
  const survey = await surveyRecords({ ...csv, source, encoding });
  if (survey === undefined) {
    const read = () => Readable.from([]);
    return openWithAccounts({ source, format: 'qif', read, request, interpretation: null });
  }
  const { plan, recordCount, categoryNames, note, advice } = survey;
  const statement = await openWithAccounts({
    source,
    format: 'qif',
    read: () => readRows({ source, encoding }, plan),
    request,
    interpretation: {
      ...(advice !== undefined && { advice }),
      lines: [
        ['date format', plan.dateFormat + (note === undefined ? '' : ` (${note})`)],
        ['decimals', plan.decimalSeparator === '.' ? '1,234.56' : '1.234,56'],
        ['encoding', encoding],
        ['transactions', String(recordCount)],
        ...(plan.minusMeans === 'income' ? [['signs', reversedSigns] as const] : []),
      ],
    },
  });
  return categoryNames.size === 0
    ? statement
    : { ...statement, categories: { names: categoryNames, areRequested: false } };
}

async function* readRows(
  file: { source: StatementSource; encoding: string },
  plan: QifPlan,
): AsyncGenerator<AccountRow> {
  for await (const record of readQifRecords(file.source, file.encoding)) {
    const account =
      record.account === null
        ? null
        : { number: record.account.name, detail: '', type: record.account.type, currencyCode: null };
    const { rows, note } = readQifTransaction(record, plan);
    for (const row of rows) yield { account, row, note };
  }
}

/** Reads the whole file to choose its date format and decimal separator; returns undefined for an empty statement. */
async function surveyRecords(
  file: { source: StatementSource; encoding: string } & Pick<
    OpenStatementRequest['csv'],
    'dateFormat' | 'decimalSeparator' | 'minusMeans' | 'finalStatuses' | 'account'
  >,
) {
  const requested = file.dateFormat === undefined ? undefined : plainQifDateFormat(file.dateFormat);
  const qifDates = new QifDates(requested);
  const separators = new DecimalSeparatorDetector();
  const categories = new CategoryNames();
  let recordCount = 0;
  for await (const { fields, splits } of readQifRecords(file.source, file.encoding)) {
    recordCount += 1;
    const date = fields.get('D');
    if (date !== undefined) qifDates.add(date);
    const amounts = [fields.get('T') ?? fields.get('U') ?? '', ...splits.map(({ amount }) => amount)];
    for (const amount of amounts) separators.add(amount);
    for (const category of [fields.get('L') ?? '', ...splits.map((split) => split.category)]) {
      categories.add(readQifCategory(category) ?? '');
    }
  }
  const dates = qifDates.detector;
  if (recordCount === 0 && (await isEmptyQif(file.source, file.encoding))) return undefined;
  if (requested === undefined && !dates.hasDates && dates.unreadable !== undefined) {
    throw new StatementError(
      `No date of the file is in a known format. The file has, for example, "${dates.unreadable}".`,
      'Set the format with --date-format, such as MM/DD/YYYY. Rows with dates in other formats fail and are listed.',
    );
  }
  if (recordCount === 0 || (requested === undefined && !dates.hasDates)) {
    throw new StatementError(
      `${file.source.name} has no QIF transactions.`,
      'Export the statement again, with its transactions.',
    );
  }
  const decimalSeparator = file.decimalSeparator ?? separators.requireSeparator(undefined);
  const chosen = chooseDateFormat({
    dates,
    requested,
    saved: undefined,
    dateColumn: 'D',
  });
  const dateFormat = plainQifDateFormat(chosen.dateFormat);
  const readDate = compileDateFormat(dateFormat);
  if (readDate === undefined) throw new RangeError(`Not a date format: ${dateFormat}`);
  if (file.minusMeans === undefined) await requireCardSigns(file, decimalSeparator);
  const { minusMeans = 'expense', finalStatuses = [] } = file;
  const { account } = file;
  const plan: QifPlan = { readDate, dateFormat, decimalSeparator, minusMeans, finalStatuses, account };
  const { dateFormatNote: note, dateAdvice: advice } = chosen;
  return { plan, recordCount, categoryNames: categories.names, note, advice };
}

/**
 * Refuses a file if a minus may mean income in its card rows. A payment to the card that has no minus proves that a minus means an
 * expense.
 * @throws StatementError if no payment to the card proves this, and either a payment to the card has a minus, or at most half of the
 *   amounts of the card rows have a minus
 */
async function requireCardSigns(
  file: { source: StatementSource; encoding: string; account?: string | undefined },
  decimalSeparator: DecimalSeparator,
): Promise<void> {
  const card = new CardSigns();
  for await (const record of readQifRecords(file.source, file.encoding)) {
    const { fields, accountType } = record;
    if (findQifBalanceReason(record, { account: file.account }) !== undefined) continue;
    const amount = parseAmount(fields.get('T') ?? fields.get('U') ?? '', decimalSeparator);
    if (accountType !== 'credit_card' || amount === undefined || amount.amountDecimal === '0') continue;
    card.add({ isMinus: amount.sign === 'minus', text: `${fields.get('P') ?? ''} ${fields.get('M') ?? ''}`.trim() });
  }
  card.requireBankSigns();
  card.requireMinus();
  card.requireMostlyMinus();
}
