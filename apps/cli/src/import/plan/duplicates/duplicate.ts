import type { Movement } from '@centavo/sdk';
import type { ComparedRow } from './compared-rows.js';
import type { DatedMovement, DayMovement, RecordedMovement } from './recorded-movements.js';

/** A row, and a movement that counts as the same transaction but is recorded under another idempotency key. */
export interface Duplicate {
  readonly line: number;
  readonly occurredOn: string;
  /** Negative for an expense. */
  readonly signedAmount: string;
  readonly currencyCode: string;
  readonly text: string;
  readonly accountName: string;
  /** The movement, or the movements that are the parts of the row. */
  readonly movements: readonly DuplicateMovement[];
  /** Whether the row is only a part of the movement. */
  readonly isPart: boolean;
}

interface DuplicateMovement {
  readonly text: string;
  readonly source: Movement['source'];
  /** May be absent if the movement has the day of the row. */
  readonly occurredOn?: string;
  /** Negative for an expense; absent if the movement has the amount of the row. */
  readonly signedAmount?: string;
}

/** A row, and the movements that count as the same transaction, before the keys of the row are checked. */
export interface MatchedRow {
  readonly row: ComparedRow;
  readonly movements: readonly (RecordedMovement | DatedMovement | DayMovement)[];
  readonly isPart: boolean;
}

/** Compares two rows by their position in the file. */
export function byPosition(one: MatchedRow, other: MatchedRow): number {
  return one.row.index - other.row.index;
}

/** Returns the row and its movements in the form in which the user sees them. */
export function toDuplicate({ row, movements, isPart }: MatchedRow): Duplicate {
  const { line, text, accountName, currencyCode, occurredOn } = row;
  const withAmounts = movements.map((movement) =>
    'direction' in movement ? { ...movement, signedAmount: signedAmountOf(movement) } : movement,
  );
  const signedAmount = signedAmountOf(row);
  return { line, occurredOn, signedAmount, currencyCode, text, accountName, movements: withAmounts, isPart };
}

function signedAmountOf({ direction, amountDecimal }: Pick<DayMovement, 'direction' | 'amountDecimal'>): string {
  return direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
}
