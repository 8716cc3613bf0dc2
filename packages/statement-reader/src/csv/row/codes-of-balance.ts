import type { StatementDirection } from '../../statement.js';
import { type DirectionCodes, directionCodes, readDirectionCode } from '../signs/direction-codes.js';
import { headerDictionary, headerNamesBalance, headerWords, vagueDirectionHeaders } from '../table/header-names.js';

/**
 * Returns the position, from 0, of the column with the debit/credit codes of the balance: `DR` means that the account is overdrawn. The
 * header of this column names a balance, as in `Dr/Cr of Balance`, or the column is directly to the right of the balance and its header
 * names debits and credits. Returns undefined if there is no such column.
 *
 * @param file.used the positions of the columns that the import uses for other data
 */
export function findCodesOfBalance(file: {
  readonly headers: readonly string[];
  readonly balancePosition: number | undefined;
  readonly used: readonly number[];
}): number | undefined {
  const { headers, balancePosition, used } = file;
  if (balancePosition === undefined) return undefined;
  const found = headers.findIndex((header, position) => {
    if (position === balancePosition || used.includes(position)) return false;
    const words = headerWords(header);
    const isDirection = headerDictionary.direction.includes(words) && !vagueDirectionHeaders.has(words);
    if (headerNamesBalance(header)) return !isDirection && !headerDictionary.balance.includes(words);
    return isDirection && position === balancePosition + 1;
  });
  return found === -1 ? undefined : found;
}

/** Returns the direction of a code of the balance: `expense` if the account is overdrawn. */
export function readCodeOfBalance(cell: string): StatementDirection | undefined {
  return readDirectionCode(cell, codesOfBalance);
}

const common = directionCodes([], []);
const codesOfBalance: DirectionCodes = {
  expense: new Set([...common.expense, 'd', 's']),
  income: new Set([...common.income, 'c', 'h']),
};
