import { type FinancialClient, isPermissionError, type Movement } from '@centavo/sdk';
import type { StatementTransaction } from '../../statements/statement-row.js';
import type { TargetAccount } from './account-book.js';
import { dayOfLeg, textOfRow } from './transfer-of-pair.js';

/**
 * The transfers of the tracker, to recognise rows that are half of one. The key of a transfer follows from both rows, so
 * a later export that has only one of them (a month that ends between the two, an import without `--pair-transfers`)
 * could not find it by a key, and would record that row a second time. Legs cannot be corrected, so what a row was
 * recorded with is still there: account, side, amount, day and text must all be the same.
 */
export class TransferLegs {
  readonly #legs: ReadonlyMap<string, readonly string[]>;

  private constructor(legs: ReadonlyMap<string, readonly string[]>) {
    this.#legs = legs;
  }

  /**
   * @returns undefined where the key may not read movements, and so cannot know
   * @throws whatever ends the whole import: no network, a revoked key
   */
  static async load(client: FinancialClient): Promise<TransferLegs | undefined> {
    const legs = new Map<string, string[]>();
    try {
      for await (const leg of client.movements.list({ kind: 'transfer', limit: 200 })) {
        const place = placeOf({ ...leg, occurredOn: dayOfLeg(leg), amountDecimal: plainAmount(leg) });
        legs.set(place, [...(legs.get(place) ?? []), leg.description ?? '']);
      }
    } catch (error) {
      if (isPermissionError(error) && error.code === 'INSUFFICIENT_SCOPE') return undefined;
      throw error;
    }
    return new TransferLegs(legs);
  }

  /** Of no transfers. */
  static none(): TransferLegs {
    return new TransferLegs(new Map());
  }

  /** Begins to go through a file: each leg explains one row of it. */
  claim(): { take(transaction: StatementTransaction, target: TargetAccount): boolean } {
    const left = new Map<string, string[]>();
    return {
      take: (transaction, target) => {
        if (target.id === null || this.#legs.size === 0) return false;
        const { direction: type, amountDecimal, occurredOn } = transaction;
        const place = placeOf({ accountId: target.id, type, amountDecimal, occurredOn });
        const descriptions = left.get(place) ?? [...(this.#legs.get(place) ?? [])];
        const text = textOfRow(transaction);
        const found = descriptions.findIndex((description) => hasText(description, text));
        if (found === -1) return false;
        descriptions.splice(found, 1);
        left.set(place, descriptions);
        return true;
      },
    };
  }
}

/**
 * Whether a text is one of those that `toTransfer` has put together. A row without any fits every leg of its account, side,
 * amount and day: taken for another one, the half of a pair that has no text would be recorded again by each import.
 */
function hasText(description: string, text: string): boolean {
  const texts = ` / ${description.replace(/ ?\(arrived \d{4}-\d{2}-\d{2}\)$/, '')} / `;
  return text === '' || texts.includes(` / ${text} / `);
}

function placeOf(leg: { accountId: string; type: string; amountDecimal: string; occurredOn: string }): string {
  return [leg.accountId, leg.type, leg.amountDecimal, leg.occurredOn].join(' ');
}

/** `50.00` is `50` in a statement's spelling. */
function plainAmount({ amountDecimal }: Movement): string {
  return amountDecimal.includes('.') ? amountDecimal.replace(/\.?0+$/, '') : amountDecimal;
}
