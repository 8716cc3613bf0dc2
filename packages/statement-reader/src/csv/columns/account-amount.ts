import { looksLikeTransaction, plainCell } from '../table/cells.js';
import { type CsvColumns, findHeaderCurrency, nameColumns, requirePositions } from '../table/columns.js';
import { namesFee } from '../table/fee-headers.js';
import { headerNamesBalance } from '../table/header-names.js';
import { explainsBalance, readValue } from './find-amount-columns.js';

/**
 * Returns the column of amounts in the currency of the account, if the guessed amount column has the amounts in the currency of the
 * payment instead. All of these are true for the returned column:
 *
 * - Its header names a currency.
 * - The balance changes by the amounts of this column, and not by those of the guessed column.
 * - The amounts of the two columns differ in some rows. None of these rows has the currency that the header of the returned column names.
 *
 * @param columns the guessed columns
 * @param file.rows the first rows below the headers
 * @returns undefined if there is no such column, or several
 */
export function findAccountAmount(
  columns: Pick<CsvColumns, 'amount' | 'currency'>,
  { headers, rows }: { readonly headers: readonly string[]; readonly rows: readonly (readonly string[])[] },
): string | undefined {
  const { amount, currency } = requirePositions(columns, headers);
  if (amount === undefined || currency === undefined) return undefined;
  const transactions = rows.filter(looksLikeTransaction);
  const valuesAt = (position: number) => transactions.map((cells) => readValue(plainCell(cells[position] ?? '')));
  const balances = headers.flatMap((header, position) =>
    headerNamesBalance(header) ? [{ values: valuesAt(position) }] : [],
  );
  const guessed = valuesAt(amount);
  if (explainsBalance(guessed, balances)) return undefined;
  const found = headers.flatMap((header, position) => {
    const code = findHeaderCurrency(header)?.code;
    if (position === amount || code === undefined || headerNamesBalance(header) || namesFee(header)) return [];
    const values = valuesAt(position);
    if (!explainsBalance(values, balances)) return [];
    const differing = transactions.filter((_, row) => !isSameSize(values[row], guessed[row]));
    const isForeign = (cells: readonly string[]) => plainCell(cells[currency] ?? '').toUpperCase() !== code;
    return differing.length > 0 && differing.every(isForeign) ? [position] : [];
  });
  const [position, ...others] = found;
  return position === undefined || others.length > 0 ? undefined : nameColumns(headers)[position];
}

/** Returns whether two amounts are equal, except for their signs. */
function isSameSize(one: bigint | undefined, other: bigint | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && one === -other);
}
