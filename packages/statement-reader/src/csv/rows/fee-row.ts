import type { StatementRow, StatementTransaction } from '../../statement.js';
import { cutText, descriptionCharactersMax } from '../../texts.js';
import { parseAmount } from '../../values/amounts.js';
import type { Formats } from '../plan.js';
import { cellOf, type RowCells } from './cells.js';

/** The fee of a row, unsigned; or the reason why its cell cannot be read as one. */
type ReadFee = { readonly amountDecimal: string } | { readonly reason: string };

/**
 * Returns the fee of a row as an expense of its own; undefined if there is no fee. Its identity is that of the row with a
 * mark that no amount of a row ends with, so that the key of a fee never equals that of a row.
 *
 * @param of.transaction the transaction of the row, whose amount may be zero
 */
export function readFeeRow(
  row: RowCells,
  of: { readonly line: number; readonly transaction: StatementTransaction; readonly formats: Formats },
): StatementRow | undefined {
  const { line, transaction } = of;
  const fee = readFee(row, { transaction, formats: of.formats });
  if (fee === undefined) return undefined;
  if ('reason' in fee) return { line, outcome: 'failure', reason: fee.reason };
  const { currencyCode, currencySign, occurredOn, accountName, identity } = transaction;
  const text = transaction.description ?? transaction.merchantName;
  const description = cutText(text === null ? 'Fee' : `Fee: ${text}`, descriptionCharactersMax);
  return {
    line,
    outcome: 'transaction',
    transaction: {
      direction: 'expense',
      amountDecimal: fee.amountDecimal,
      currencyCode,
      ...(currencySign !== undefined && { currencySign }),
      occurredOn,
      description,
      merchantName: null,
      categoryName: null,
      accountName,
      statementId: null,
      ...(identity !== undefined && { identity: { ...identity, signedAmount: `${identity.signedAmount} fee` } }),
    },
  };
}

function readFee(
  row: RowCells,
  { transaction: { currencyCode }, formats }: { transaction: StatementTransaction; formats: Formats },
): ReadFee | undefined {
  const text = cellOf(row, 'fee');
  if (text === undefined) return undefined;
  const parsed = parseAmount(text, formats.decimalSeparator);
  if (parsed === undefined) return { reason: `its fee "${text}" is not an amount` };
  if (parsed.amountDecimal === '0') return undefined;
  if (parsed.currencyCode !== undefined && currencyCode !== null && parsed.currencyCode !== currencyCode) {
    return { reason: `its fee is in ${parsed.currencyCode}, and its amount in ${currencyCode}` };
  }
  const { minus, plus, bare } = formats.signCounts.fee;
  const [same, other] = parsed.sign === 'minus' ? [minus, plus + bare] : [plus + bare, minus];
  if (other > 0 && same <= other) {
    return { reason: `its fee "${text}" has another sign than other fees and may be a refund` };
  }
  return { amountDecimal: parsed.amountDecimal };
}
