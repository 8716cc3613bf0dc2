import type { StatementRow, StatementTransaction } from '../../statement.js';
import { cutText, descriptionCharactersMax } from '../../texts.js';
import { parseAmount } from '../../values/amounts.js';
import { currenciesOfName } from '../../values/currency-names.js';
import { currenciesOfText } from '../../values/currency-symbols.js';
import { cellOf, isCurrencyCode, plainCell } from '../table/cells.js';
import { findHeaderCurrency, type HeaderCurrency } from '../table/columns.js';
import type { RowContext } from './row-amount.js';

/** The fee of a row, unsigned; or the reason why the fee of the row cannot be recorded. */
type ReadFee =
  | Pick<StatementTransaction, 'amountDecimal' | 'currencyCode' | 'currencySymbol'>
  | { readonly reason: string };

/**
 * Returns the fee of a row as a separate expense, or a failure if the fee cannot be recorded; undefined if there is no fee. The `identity`
 * of the fee is that of the row, with ` fee` after the amount, so that the import key of a fee never equals that of a row. The `externalId`
 * of the fee is that of the row, followed by ` fee`.
 *
 * @param transaction the transaction of the row; its amount may be zero
 */
export function readFeeRow(row: RowContext, transaction: StatementTransaction): StatementRow | undefined {
  const { line } = row;
  const fee = readFee(row, transaction);
  if (fee === undefined) return undefined;
  if ('reason' in fee) return { line, outcome: 'failure', reason: fee.reason };
  const { occurredOn, accountName, externalId, identity } = transaction;
  const text = transaction.description ?? transaction.merchantName;
  const description = cutText(text === null ? 'Fee' : `Fee: ${text}`, descriptionCharactersMax);
  return {
    line,
    outcome: 'transaction',
    transaction: {
      direction: 'expense',
      ...fee,
      isFee: true,
      occurredOn,
      description,
      merchantName: null,
      categoryName: null,
      accountName,
      statementId: null,
      ...(externalId !== undefined && { externalId: `${externalId} fee` }),
      ...(identity !== undefined && { identity: { ...identity, signedAmount: `${identity.signedAmount} fee` } }),
    },
  };
}

function readFee(row: RowContext, transaction: StatementTransaction): ReadFee | undefined {
  const { formats, signs } = row.file.plan;
  const text = cellOf(row, 'fee');
  if (text === undefined) return undefined;
  const parsed = parseAmount(text, formats.decimalSeparator);
  if (parsed === undefined) return { reason: `its fee "${text}" is not an amount` };
  if (parsed.amountDecimal === '0') return undefined;
  const currency = readFeeCurrency(row, { transaction, amount: parsed });
  if ('reason' in currency) return currency;
  const { minus, plus, none } = signs.signCounts.fee;
  const [same, other] = parsed.sign === 'minus' ? [minus, plus + none] : [plus + none, minus];
  if (other > 0 && same <= other) {
    return { reason: `its fee "${text}" does not have the same sign as the other fees, and may be a refund` };
  }
  return { amountDecimal: parsed.amountDecimal, ...currency };
}

/**
 * Returns the currency of a fee. This is the currency of the row, or if the row names none, the currency that the fee names. A fee names
 * its currency in its own currency column, in its cell or in its header.
 *
 * @returns a reason if the fee names another currency than the row, two different currencies, or a text that is no currency
 */
function readFeeCurrency(
  row: RowContext,
  {
    transaction: { currencyCode, currencySymbol },
    amount,
  }: {
    readonly transaction: StatementTransaction;
    readonly amount: Pick<NonNullable<ReturnType<typeof parseAmount>>, 'currencyCode' | 'currencySymbol'>;
  },
): Pick<StatementTransaction, 'currencyCode' | 'currencySymbol'> | { readonly reason: string } {
  const { further, plan } = row.file;
  const text = plainCell(row.cells[further.feeCurrency] ?? '');
  const column = text === '' ? undefined : readCurrency(text);
  if (text !== '' && column === undefined) {
    return { reason: `the currency "${text}" of its fee is not known: record the fee manually` };
  }
  const named = [
    column,
    toCurrency(amount),
    findHeaderCurrency(plan.dialect.headers[row.positions.fee ?? -1] ?? ''),
  ].filter((currency) => currency !== undefined);
  const ofRow = toCurrency({ currencyCode: currencyCode ?? undefined, currencySymbol });
  const known = ofRow ?? named[0];
  const other = named.find((currency) => known !== undefined && !couldBeSame(currency, known));
  if (known !== undefined && other !== undefined) {
    const [first, second] = [known, other].map(({ code, sign }) => code ?? sign);
    return {
      reason:
        ofRow === undefined
          ? `its fee is in ${first} or in ${second}: record the fee manually`
          : `its fee is in ${second}, but its amount is in ${first}: record the fee manually in an account in ${second}`,
    };
  }
  return { currencyCode: known?.code ?? null, ...(known?.sign !== undefined && { currencySymbol: known.sign }) };
}

function toCurrency({
  currencyCode: code,
  currencySymbol: sign,
}: {
  readonly currencyCode: string | undefined;
  readonly currencySymbol: string | undefined;
}): HeaderCurrency | undefined {
  if (code !== undefined) return { code };
  return sign === undefined ? undefined : { sign };
}

/** Returns the currency that the text of a currency column means; undefined if the text is no known currency. */
function readCurrency(text: string): HeaderCurrency | undefined {
  const code = text.toUpperCase();
  if (isCurrencyCode(code)) return { code };
  const [only, ...others] = currenciesOfName(text) ?? [];
  if (only !== undefined && others.length === 0) return { code: only };
  return currenciesOfText(text) === undefined ? undefined : { sign: text };
}

function couldBeSame(one: HeaderCurrency, other: HeaderCurrency): boolean {
  const [codes, otherCodes] = [one, other].map(({ code, sign }) =>
    code === undefined ? currenciesOfText(sign) : new Set([code]),
  );
  return codes === undefined || otherCodes === undefined || [...codes].some((code) => otherCodes.has(code));
}
