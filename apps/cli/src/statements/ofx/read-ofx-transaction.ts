import { parseAmount } from '../csv/parse-amount.js';
import { isCalendarDate } from '../is-calendar-date.js';
import { toStatementId } from '../statement-id.js';
import type { StatementRow, StatementTransaction } from '../statement-row.js';
import { descriptionCharactersMax, merchantCharactersMax, tidyText } from '../tidy-text.js';
import type { OfxFields } from './ofx-event.js';

/**
 * Makes a row of a STMTTRN. The sign of its amount tells expense from income, as OFX says (section 11.4.2): a TRNTYPE
 * that says otherwise is a name, and banks use it loosely. The day is DTPOSTED as the bank wrote it, without turning
 * it into another time zone, so that it is the day on the paper statement.
 *
 * @param currencyCode CURDEF of the statement; null where it has none
 */
export function readOfxTransaction(
  line: number,
  { fields, currencyCode }: { fields: OfxFields; currencyCode: string | null },
): StatementRow {
  const failure = (reason: string): StatementRow => ({ line, outcome: 'failure', reason });
  const posted = fields.get('DTPOSTED') ?? fields.get('DTUSER') ?? '';
  const occurredOn = readDate(posted);
  if (occurredOn === undefined) return failure(`"${posted}" is not a date of OFX (DTPOSTED)`);
  const text = fields.get('TRNAMT') ?? '';
  const amount = readAmount(text);
  if (amount === undefined) return failure(`"${text}" is not an amount of OFX (TRNAMT)`);
  if (amount.amountDecimal === '0') return { line, outcome: 'skipped', reason: 'its amount is zero' };
  const merchantName = tidyText(fields.get('NAME') ?? fields.get('PAYEE.NAME'), merchantCharactersMax);
  const description = tidyText(fields.get('MEMO'), descriptionCharactersMax);
  return {
    line,
    outcome: 'transaction',
    transaction: {
      ...amount,
      // ORIGCURRENCY only tells what an amount in CURDEF was before; CURRENCY is what this amount is in.
      currencyCode: fields.get('CURRENCY.CURSYM')?.toUpperCase() ?? currencyCode,
      occurredOn,
      description: description === merchantName ? null : description,
      merchantName,
      categoryName: null,
      accountName: null,
      statementId: toStatementId(fields.get('FITID')),
    },
  };
}

function readDate(text: string): string | undefined {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text);
  const date = parts === null ? '' : parts.slice(1).join('-');
  return isCalendarDate(date) ? date : undefined;
}

/** OFX groups no thousands, and takes a point or a comma for the decimals; banks group all the same. */
function readAmount(text: string): Pick<StatementTransaction, 'direction' | 'amountDecimal'> | undefined {
  // `1,234` may be a thousand or one and three decimals: nothing tells, and either could be wrong.
  if (/^[+-]?\s*\d{1,3},\d{3}$/.test(text)) return undefined;
  const isComma = text.lastIndexOf(',') > text.lastIndexOf('.');
  const parsed = parseAmount(text, isComma ? ',' : '.');
  if (parsed === undefined) return undefined;
  return { direction: parsed.mark === 'minus' ? 'expense' : 'income', amountDecimal: parsed.amountDecimal };
}
