/** The day of a row as the file writes it, and the digits and the direction of its amount. */
export interface SignedMovement {
  readonly day: string;
  /** The digits of the amount, without leading zeros. */
  readonly digits: string;
  /** The column, the sign and the debit/credit code of the amount. Two rows with different values count as opposite directions. */
  readonly side: string;
}

/**
 * Returns the day, the digits and the direction of a row; undefined if the amount is zero, or if the row has no amount.
 * @param cells.direction the debit/credit code; empty if there is none
 */
export function readSignedMovement(cells: {
  readonly date: string;
  readonly amount: string;
  readonly debit: string;
  readonly credit: string;
  readonly direction: string;
}): SignedMovement | undefined {
  for (const column of ['amount', 'debit', 'credit'] as const) {
    const digits = cells[column].replace(/\P{Nd}/gu, '').replace(/^0+/, '');
    if (digits === '') continue;
    const isNegative = /[-\u2212(]/.test(cells[column]);
    return { day: cells.date, digits, side: [column, isNegative, cells.direction].join(' ') };
  }
  return undefined;
}

/** Finds two rows that are the two sides of a transfer: same day, same amount, other direction, and another account. */
export class TransferPairs {
  /** The rows that were added last. Apps list the two sides of a transfer near each other. */
  readonly #rows: (SignedMovement & { readonly account: string })[] = [];
  #hasPair = false;

  get hasPair(): boolean {
    return this.#hasPair;
  }

  add(account: string, movement: SignedMovement): void {
    if (this.#hasPair || account === '') return;
    const { day, digits, side } = movement;
    this.#hasPair = this.#rows.some(
      (row) => row.account !== account && row.day === day && row.digits === digits && row.side !== side,
    );
    this.#rows.push({ ...movement, account });
    if (this.#rows.length > rowsMax) this.#rows.shift();
  }
}

const rowsMax = 20;
