import { isCalendarDate } from '@centavo/contracts/calls';
import { findBalanceReason, findPendingReason } from '../not-booked.js';
import type { StatementAccount, StatementDirection, StatementRow } from '../statement.js';
import { descriptionCharactersMax, merchantCharactersMax, tidyText, toStatementId } from '../texts.js';
import type { AmountSign, ParsedAmount } from '../values/amounts.js';
import { canSymbolMean } from '../values/currency-symbols.js';
import { hasAmbiguousComma, hasAmbiguousPoint, type PointsOfAmounts, readOfxAmount } from './amounts.js';
import type { OfxFields } from './records.js';
import { directionOfType, nameOf, type OfxSignConvention, ofxTypeOf } from './signs.js';

/** The input of `readOfxTransaction`, except the line number. */
interface OfxRow {
  readonly fields: OfxFields;
  /** CURDEF of the statement; null if it has none. */
  readonly currencyCode: string | null;
  readonly accountType: StatementAccount['type'];
  readonly signs: OfxSignConvention;
  readonly points: PointsOfAmounts;
  /** Statuses, such as `pending`, that the user declared final. They do not make a row fail. */
  readonly finalStatuses: readonly string[];
}

/**
 * Returns the row of a transaction (STMTTRN). The sign of its amount decides between expense and income (OFX, section 11.4.2), unless
 * the file has another sign convention. The day is DTPOSTED, or DTUSER if there is no DTPOSTED, as the bank wrote it. The day is not
 * converted to another time zone, so that it is the day on the paper statement. A correction of another transaction (CORRECTFITID) is
 * read like other rows, see `Corrections`.
 */
export function readOfxTransaction(line: number, row: OfxRow): StatementRow {
  const { fields, currencyCode } = row;
  const failure = (reason: string): StatementRow => ({ line, outcome: 'failure', reason });
  const posted = fields.get('DTPOSTED') ?? fields.get('DTUSER') ?? '';
  const occurredOn = readOfxDay(posted);
  if (occurredOn === undefined) return failure(`"${posted}" is not a valid OFX date (DTPOSTED)`);
  const balanceReason = findBalanceReason(nameOf(fields));
  const memo = fields.get('MEMO') ?? '';
  const hasOtherText = memo !== '' && memo !== nameOf(fields) && findBalanceReason(memo) === undefined;
  // Some banks write balances among the transactions, all with the FITID 0. A balance of zero may have no digits.
  if (balanceReason !== undefined && /^0+$/.test(fields.get('FITID') ?? '') && !hasOtherText)
    return { line, outcome: 'skipped', reason: balanceReason };
  const text = fields.get('TRNAMT') ?? '';
  if (hasAmbiguousComma(text)) {
    return failure(`the comma in "${text}" may separate thousands or decimals: record it manually`);
  }
  const amount = readOfxAmount(text);
  if (amount === undefined) return failure(`"${text}" is not a valid OFX amount (TRNAMT)`);
  // CURRENCY is the currency of this amount. ORIGCURRENCY is only the currency before a conversion into CURDEF.
  const currency = fields.get('CURRENCY.CURSYM')?.toUpperCase() ?? currencyCode;
  const ambiguity = row.points.findAmbiguity(text, currency);
  if (ambiguity !== undefined) {
    return failure(
      `the point in "${text}" may separate thousands or decimals, because ${ambiguity}: record it manually`,
    );
  }
  if (hasAmbiguousPoint(text)) {
    return failure(`the point in "${text}" may separate thousands or decimals: record it manually`);
  }
  const contradicted = findOtherCurrency(amount, currency);
  if (contradicted !== undefined) return failure(`its amount is in ${contradicted}, but its currency is ${currency}`);
  if (amount.amountDecimal === '0') return { line, outcome: 'skipped', reason: 'its amount is zero' };
  if (balanceReason !== undefined) return failure(balanceReason);
  const texts = [fields.get('NAME'), fields.get('PAYEE.NAME'), fields.get('MEMO')];
  const pendingReason = findPendingReason(texts, row.finalStatuses);
  if (pendingReason !== undefined) return failure(pendingReason);
  const decided = decideDirection(amount.sign, row);
  if ('reason' in decided) return failure(decided.reason);
  const merchantName = tidyText(fields.get('NAME') ?? fields.get('PAYEE.NAME'), merchantCharactersMax);
  const description = tidyText(fields.get('MEMO'), descriptionCharactersMax);
  return {
    line,
    outcome: 'transaction',
    transaction: {
      direction: decided.direction,
      amountDecimal: amount.amountDecimal,
      currencyCode: currency ?? amount.currencyCode ?? null,
      occurredOn,
      description: description === merchantName ? null : description,
      merchantName,
      categoryName: null,
      accountName: null,
      statementId: toStatementId(fields.get('FITID')),
    },
  };
}

/** Returns the currency that an amount names, if it is not `currencyCode`; otherwise undefined. */
function findOtherCurrency(amount: ParsedAmount, currencyCode: string | null): string | undefined {
  // `XXX` means no currency, and `RUR` is the old code of `RUB`.
  if (currencyCode === null || currencyCode === 'XXX' || currencyCode === 'RUR') return undefined;
  const { currencyCode: code, currencySymbol: sign } = amount;
  if (code !== undefined) return code === currencyCode ? undefined : code;
  return sign === undefined || canSymbolMean(sign, currencyCode) ? undefined : sign;
}

/**
 * Returns the day of an OFX date without converting it to another time zone: `2026-01-02` for `20260102230000[-5:EST]`. Returns
 * undefined if the text is not a date.
 */
export function readOfxDay(text: string): string | undefined {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text);
  const date = parts === null ? '' : parts.slice(1).join('-');
  return isCalendarDate(date) ? date : undefined;
}

/** Returns the direction, or the reason why the sign and the type do not decide it. */
function decideDirection(
  sign: AmountSign,
  { fields, accountType, signs }: Pick<OfxRow, 'fields' | 'accountType' | 'signs'>,
): { direction: StatementDirection } | { reason: string } {
  if (signs.decidedBy === 'sign') return { direction: sign === 'minus' ? 'expense' : 'income' };
  if (signs.decidedBy === 'reversedSign') return { direction: sign === 'minus' ? 'income' : 'expense' };
  const type = ofxTypeOf(fields);
  const typeText = `(TRNTYPE: ${type === '' ? 'none' : `"${type}"`})`;
  const direction = directionOfType(type, accountType);
  if (direction === undefined || (direction === 'expense' && signs.example === undefined)) {
    return {
      reason: `no amount of the file has a minus, and the type of this row ${typeText} does not show whether the row is an expense or an income. To read all amounts of the file as expenses, use --minus income: only an amount with a minus is then an income. To read them as incomes, use --minus expense`,
    };
  }
  if (sign === 'plus' && direction === 'expense')
    return { reason: `its plus sign and its type ${typeText} contradict each other` };
  return { direction };
}
