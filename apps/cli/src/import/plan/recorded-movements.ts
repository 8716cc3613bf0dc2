import { canonicalAmount, earliestDate } from '@centavo/contracts/calls';
import type { FinancialClient, Movement, Page } from '@centavo/sdk';
import { withoutTransferMark } from './recorded-transfers.js';

/** A recorded movement, as far as rows are compared with it. */
export interface RecordedMovement {
  readonly id: string;
  /** Description and merchant. */
  readonly text: string;
  readonly source: Movement['source'];
}

/** What rows and movements that may be the same transaction have in common. */
export interface MovementGroup {
  readonly accountId: string;
  readonly occurredOn: string;
  readonly direction: Movement['type'];
  readonly amountDecimal: string;
}

/** The days of a file that have rows, for each id of an account. */
export type DaysOfAccounts = ReadonlyMap<string, ReadonlySet<string>>;

/** The movements of accounts on the days of a file. */
export class RecordedMovements {
  readonly #groups = new Map<string, RecordedMovement[]>();
  readonly #days = new Set<string>();
  #isCut = false;

  private constructor() {}

  /**
   * Lists the movements on the given days. Days that are at most a week apart are listed together, so an account takes
   * one request for each such period, and one more for each 200 movements in it. At most 500 requests are sent for all
   * accounts, the newest periods first; then `isCut` is true. The client waits for a rate limit.
   *
   * @throws every error of the client
   */
  static async load(client: FinancialClient, days: DaysOfAccounts): Promise<RecordedMovements> {
    const recorded = new RecordedMovements();
    let requestCount = 0;
    for (const [accountId, ofAccount] of days) {
      for (const period of periodsOf(ofAccount)) {
        let page: Page<Movement> | null = null;
        do {
          if (requestCount === requestsMax) {
            recorded.#isCut = true;
            return recorded;
          }
          requestCount += 1;
          page =
            page === null ? await client.movements.list({ ...period, accountId, limit: 200 }) : await page.nextPage();
          recorded.#add(page?.data ?? [], ofAccount);
        } while (page?.pagination.hasMore === true);
      }
    }
    return recorded;
  }

  /** Whether there are more movements than were listed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get isEmpty(): boolean {
    return this.#days.size === 0;
  }

  hasDay({ accountId, occurredOn }: Pick<MovementGroup, 'accountId' | 'occurredOn'>): boolean {
    return this.#days.has(`${accountId} ${occurredOn}`);
  }

  movementsOf(group: MovementGroup): readonly RecordedMovement[] {
    return this.#groups.get(groupId(group)) ?? [];
  }

  #add(movements: readonly Movement[], days: ReadonlySet<string>): void {
    for (const { id, type, amountDecimal, accountId, occurredOn, description, merchantName, source } of movements) {
      if (!days.has(occurredOn)) continue;
      this.#days.add(`${accountId} ${occurredOn}`);
      const amount = canonicalAmount(amountDecimal);
      const group = groupId({ accountId, occurredOn, direction: type, amountDecimal: amount });
      const text = `${withoutTransferMark(description ?? '')} ${merchantName ?? ''}`;
      const known = this.#groups.get(group);
      if (known === undefined) this.#groups.set(group, [{ id, text, source }]);
      else known.push({ id, text, source });
    }
  }
}

/** The text of a group, equal for equal groups. */
export function groupId({ accountId, occurredOn, direction, amountDecimal }: MovementGroup): string {
  return `${accountId} ${occurredOn} ${direction} ${amountDecimal}`;
}

/** At 200 movements a request these are 100,000 movements, which fit into memory. */
const requestsMax = 500;

/**
 * Returns the periods that contain all days, the latest first. The API has no movements before `earliestDate`, and
 * refuses such a day as a filter.
 */
function periodsOf(days: ReadonlySet<string>): readonly { readonly from: string; readonly to: string }[] {
  const periods: { from: string; to: string }[] = [];
  for (const day of [...days]
    .filter((one) => one >= earliestDate)
    .sort()
    .reverse()) {
    const last = periods.at(-1);
    if (last !== undefined && dayNumber(last.from) - dayNumber(day) <= gapDaysMax) last.from = day;
    else periods.push({ from: day, to: day });
  }
  return periods;
}

/** A longer gap takes a request of its own, so that years of other movements are not listed for two rows. */
const gapDaysMax = 7;

function dayNumber(day: string): number {
  return Date.parse(day) / 86_400_000;
}
