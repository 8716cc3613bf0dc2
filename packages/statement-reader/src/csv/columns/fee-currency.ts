import { type ColumnPositions, nameColumns } from '../table/columns.js';
import { headerDictionary, headerWords } from '../table/header-names.js';
import { findCurrencyPosition } from './currency-columns.js';
import { namesCurrency, namesFeeCurrency } from './currency-headers.js';

/**
 * Returns the position of the column with the currency of the fee. It is the first of these columns that the file has:
 *
 * 1. a column named after the fee column: `Source fee currency` for `Source fee amount`
 * 2. a column next to the fee whose header names the currency of a fee: `Fee ccy`, `Gebührenwährung`
 * 3. a column directly to the right of the fee whose header is only a word for a currency, and that has no role: `Currency`
 * 4. any other column whose header names the currency of a fee
 *
 * @returns -1 if the fee column is not used, or if there is no such column
 */
export function findFeeCurrency(headers: readonly string[], positions: ColumnPositions): number {
  const { fee } = positions;
  if (fee === undefined) return -1;
  const named = findCurrencyPosition(nameColumns(headers)[fee] ?? '', headers);
  if (named !== undefined && named !== positions.currency) return named;
  const isOfFee = (position: number) => namesFeeCurrency(headers[position] ?? '');
  const beside = [fee + 1, fee - 1].find(isOfFee);
  if (beside !== undefined) return beside;
  const next = headers[fee + 1] ?? '';
  const isPlain = namesCurrency(next) && headerDictionary.currency.includes(headerWords(next));
  if (isPlain && !Object.values(positions).includes(fee + 1)) return fee + 1;
  return headers.findIndex((_, position) => isOfFee(position));
}
