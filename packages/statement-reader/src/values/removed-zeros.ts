import type { DecimalSeparator } from './amounts.js';

/**
 * Finds amounts that a spreadsheet program may have changed. Such a program reads `12.500` pesos as twelve and a half, and saves this
 * number as `12.5`. In a changed file, every amount is from 1 to below 1000, and no decimal place at the end is a zero.
 */
export class RemovedZeros {
  #example: ChangedAmount | undefined;
  #isDisproved = false;

  /** @param currencies the currencies that the amount may have; undefined if they are not known */
  add(cell: string, currencies: ReadonlySet<string> | undefined): void {
    if (this.#isDisproved || cell === '') return;
    const digits = cell.replace(/[^\d.,]/g, '');
    if (/^[1-9]\d{0,2}[.,]\d?[1-9]$/.test(digits)) {
      this.#example ??= { cell, groupSeparator: digits.includes(',') ? ',' : '.', currencies };
    } else if (!/^\d{1,3}([.,]\d\d[1-9])?$/.test(digits)) this.#isDisproved = true;
  }

  /** The first amount that may be changed; undefined if there is none, or if some amount proves that the file is not changed. */
  get example(): ChangedAmount | undefined {
    return this.#isDisproved ? undefined : this.#example;
  }
}

interface ChangedAmount {
  readonly cell: string;
  /** The separator of the thousands in the original amount. */
  readonly groupSeparator: DecimalSeparator;
  readonly currencies: ReadonlySet<string> | undefined;
}
