import type { AmountMark } from '../csv/parse-amount.js';
import { isCalendarDate } from '../is-calendar-date.js';
import type { StatementAccount } from '../statement-format.js';
import { toStatementId } from '../statement-id.js';
import type { StatementDirection, StatementRow } from '../statement-row.js';
import { descriptionCharactersMax, merchantCharactersMax, tidyText } from '../tidy-text.js';
import type { OfxFields } from './ofx-event.js';
import type { OfxSigns } from './ofx-signs.js';
import { ofxTypeOf, readOfxType } from './ofx-types.js';
import { readOfxAmount } from './read-ofx-amount.js';

/** What a row is read from, beside its line. */
interface OfxRow {
  readonly fields: OfxFields;
  /** CURDEF of the statement; null where it has none. */
  readonly currencyCode: string | null;
  readonly accountType: StatementAccount['type'];
  readonly signs: OfxSigns;
}

/**
 * Makes a row of a STMTTRN. The sign of its amount tells expense from income, as OFX says (section 11.4.2): a TRNTYPE
 * that says otherwise is a name, and banks use it loosely. Only in a file that has no signs does the type tell, and only
 * one whose types all contradict its signs has them turned. The day is DTPOSTED as the bank wrote it, without turning it into another time zone, so that it is the day on the paper
 * statement.
 */
export function readOfxTransaction(line: number, row: OfxRow): StatementRow {
  const { fields, currencyCode } = row;
  const failure = (reason: string): StatementRow => ({ line, outcome: 'failure', reason });
  const posted = fields.get('DTPOSTED') ?? fields.get('DTUSER') ?? '';
  const occurredOn = readDate(posted);
  if (occurredOn === undefined) return failure(`"${posted}" is not a date of OFX (DTPOSTED)`);
  const text = fields.get('TRNAMT') ?? '';
  const amount = readOfxAmount(text);
  if (amount === undefined) return failure(`"${text}" is not an amount of OFX (TRNAMT)`);
  if (amount.amountDecimal === '0') return { line, outcome: 'skipped', reason: 'its amount is zero' };
  const decided = decideDirection(amount.mark, row);
  if ('reason' in decided) return failure(decided.reason);
  const merchantName = tidyText(fields.get('NAME') ?? fields.get('PAYEE.NAME'), merchantCharactersMax);
  const description = tidyText(fields.get('MEMO'), descriptionCharactersMax);
  return {
    line,
    outcome: 'transaction',
    transaction: {
      direction: decided.direction,
      amountDecimal: amount.amountDecimal,
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

/** The side that sign or type tell, or why they do not. */
function decideDirection(
  mark: AmountMark,
  { fields, accountType, signs }: Pick<OfxRow, 'fields' | 'accountType' | 'signs'>,
): { direction: StatementDirection } | { reason: string } {
  if (signs.told === 'bySign') return { direction: mark === 'minus' ? 'expense' : 'income' };
  if (signs.told === 'byTurnedSign') return { direction: mark === 'minus' ? 'income' : 'expense' };
  const type = ofxTypeOf(fields);
  const told = `its type (TRNTYPE: ${type === '' ? 'none' : `"${type}"`})`;
  const direction = readOfxType(type, accountType);
  if (direction === undefined) {
    return { reason: `no amount of the file has a minus, and ${told} does not tell expense from income` };
  }
  if (mark === 'plus' && direction === 'expense') return { reason: `its plus and ${told} contradict each other` };
  return { direction };
}
