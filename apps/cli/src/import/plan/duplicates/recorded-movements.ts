import { canonicalAmount, earliestDate } from '@centavo/contracts/calls';
import type { FinancialClient, Movement, Page } from '@centavo/sdk';
import { RecordedIds } from '../recorded/recorded-ids.js';
import { withoutTransferMark } from '../recorded/recorded-transfers.js';
import { isVoided, listWithVoided, VoidedMovements } from '../recorded/voided-movements.js';

/** The fields of a recorded movement that are compared with the rows of a file. */
export interface RecordedMovement {
  readonly id: string;
  /** Description and merchant. */
  readonly text: string;
  readonly externalId: string | null;
  readonly source: Movement['source'];
}

/** A movement with its direction and amount. */
export interface DayMovement extends RecordedMovement {
  readonly direction: Movement['type'];
  readonly amountDecimal: string;
}

/** A movement with its day. */
export interface DatedMovement extends RecordedMovement {
  readonly occurredOn: string;
}

/**
 * The fields by which rows and movements are grouped. A row is compared with the movements of its own group. `shifted-rows.ts` also
 * compares rows with movements of other days.
 */
export interface MovementGroup {
  readonly accountId: string;
  readonly occurredOn: string;
  readonly direction: Movement['type'];
  readonly amountDecimal: string;
}

/** The days on which a file has rows, by account id. */
export type DaysOfAccounts = ReadonlyMap<string, ReadonlySet<string>>;

/** The movements of the accounts of a file, on and around the days of its rows. */
export class RecordedMovements {
  readonly voided = new VoidedMovements();
  readonly ids = new RecordedIds();
  readonly #groups = new Map<string, RecordedMovement[]>();
  /** The movements by account, direction and amount, including movements up to three days before and after the rows. */
  readonly #byAmount = new Map<string, DatedMovement[]>();
  /** For each long list in `#byAmount` that `hasNear` has searched: the days of its movements. */
  readonly #daysOfAmount = new Map<string, ReadonlySet<string>>();
  /** For each day with which `hasNear` was called: this day, and the days that are at most three days earlier or later. */
  readonly #nearDays = new Map<string, readonly string[]>();
  /** The movements on the days of the rows, by account and day. */
  readonly #days = new Map<string, DayMovement[]>();
  /** The first and the last day with a movement, for each account. */
  readonly #periods = new AccountPeriods();
  #isCut = false;

  private constructor() {}

  /**
   * Lists the movements on the given days, and up to three days before and after them. Days that are at most a week
   * apart are listed together as one period. Each period of an account needs one request for the first 200 movements,
   * and one more for each further 200. Sends at most 500 requests for all accounts, with the newest periods of each
   * account first. If more requests are needed, `isCut` is true. The client waits when it reaches the rate limit.
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
            page === null
              ? await listWithVoided(client, { ...padPeriod(period), accountId, limit: 200 })
              : await page.nextPage();
          recorded.#add(page?.data ?? [], ofAccount);
        } while (page?.pagination.hasMore === true);
      }
    }
    return recorded;
  }

  /** Whether the listing ended because it reached its limit of requests. Further movements may then be missing. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether all listed movements are voided, or there are none. */
  get isEmpty(): boolean {
    return this.#byAmount.size === 0;
  }

  /** Returns whether the account has movements on this day, which must be a day of the rows. */
  hasDay({ accountId, occurredOn }: Pick<MovementGroup, 'accountId' | 'occurredOn'>): boolean {
    return this.#days.has(dayId({ accountId, occurredOn }));
  }

  /** Returns the movements of an account on a day of the rows. */
  movementsOfDay(day: Pick<MovementGroup, 'accountId' | 'occurredOn'>): readonly DayMovement[] {
    return this.#days.get(dayId(day)) ?? [];
  }

  movementsOf(group: MovementGroup): readonly RecordedMovement[] {
    return this.#groups.get(groupId(group)) ?? [];
  }

  /** Returns whether the day of a row is between the first and the last listed movement of its account. */
  isInPeriod({ accountId, occurredOn }: Pick<MovementGroup, 'accountId' | 'occurredOn'>): boolean {
    return this.#periods.has(accountId, occurredOn);
  }

  /** Returns the listed movements of an account with this direction and amount, on any day. */
  movementsOfAmount(group: Omit<MovementGroup, 'occurredOn'>): readonly DatedMovement[] {
    return this.#byAmount.get(amountId(group)) ?? [];
  }

  /** Returns whether a movement has this account, direction and amount, and a day at most three days before or after this day. */
  hasNear(group: MovementGroup): boolean {
    const id = amountId(group);
    const movements = this.#byAmount.get(id);
    if (movements === undefined) return false;
    const nearDays = this.#nearDays.get(group.occurredOn) ?? daysAround(group.occurredOn);
    this.#nearDays.set(group.occurredOn, nearDays);
    if (movements.length <= fewMovements) return movements.some(({ occurredOn }) => nearDays.includes(occurredOn));
    const days = this.#daysOfAmount.get(id) ?? new Set(movements.map(({ occurredOn }) => occurredOn));
    this.#daysOfAmount.set(id, days);
    return nearDays.some((day) => days.has(day));
  }

  #add(movements: readonly Movement[], days: ReadonlySet<string>): void {
    for (const movement of movements) {
      this.voided.add(movement);
      this.ids.addMovement(movement);
      if (isVoided(movement)) continue;
      const { id, type, amountDecimal, accountId, occurredOn, description, merchantName, externalId, source } =
        movement;
      const amount = canonicalAmount(amountDecimal);
      const text = `${withoutTransferMark(description ?? '')} ${merchantName ?? ''}`;
      const recorded = { id, text, externalId: externalId ?? null, source };
      this.#periods.add(accountId, occurredOn);
      const sameAmount = amountId({ accountId, direction: type, amountDecimal: amount });
      const ofAmount = this.#byAmount.get(sameAmount);
      if (ofAmount === undefined) this.#byAmount.set(sameAmount, [{ ...recorded, occurredOn }]);
      else ofAmount.push({ ...recorded, occurredOn });
      if (!days.has(occurredOn)) continue;
      const ofDay = this.#days.get(dayId(movement));
      const withAmount = { ...recorded, direction: type, amountDecimal: amount };
      if (ofDay === undefined) this.#days.set(dayId(movement), [withAmount]);
      else ofDay.push(withAmount);
      const group = groupId({ accountId, occurredOn, direction: type, amountDecimal: amount });
      const known = this.#groups.get(group);
      if (known === undefined) this.#groups.set(group, [recorded]);
      else known.push(recorded);
    }
  }
}

/** The maximum length of a list of movements that `hasNear` searches directly. For a longer list, it creates a set of the days. */
const fewMovements = 16;

/** Returns a string that identifies an account and a day. */
export function dayId({ accountId, occurredOn }: Pick<MovementGroup, 'accountId' | 'occurredOn'>): string {
  return `${accountId} ${occurredOn}`;
}

/** Returns a string that identifies an account, a direction and an amount. */
export function amountId({ accountId, direction, amountDecimal }: Omit<MovementGroup, 'occurredOn'>): string {
  return `${accountId} ${direction} ${amountDecimal}`;
}

/** The first and the last of the days that were added for each account. */
export class AccountPeriods {
  readonly #periods = new Map<string, { from: string; to: string }>();

  add(accountId: string, day: string): void {
    const period = this.#periods.get(accountId);
    if (period === undefined) this.#periods.set(accountId, { from: day, to: day });
    else if (day < period.from) period.from = day;
    else if (day > period.to) period.to = day;
  }

  has(accountId: string, day: string): boolean {
    const period = this.#periods.get(accountId);
    return period !== undefined && period.from <= day && day <= period.to;
  }

  /** Returns whether the day is before the first day of the account. */
  isBefore(accountId: string, day: string): boolean {
    const period = this.#periods.get(accountId);
    return period !== undefined && day < period.from;
  }
}

/** Returns a string that identifies a group. */
export function groupId({ accountId, occurredOn, direction, amountDecimal }: MovementGroup): string {
  return `${accountId} ${occurredOn} ${direction} ${amountDecimal}`;
}

/** The maximum number of requests. With 200 movements per request, 500 requests list 100,000 movements, which fit into memory. */
const requestsMax = 500;

/**
 * Returns the periods that contain the days, the latest first. Days before `earliestDate` are left out, because the API
 * has no earlier movements, and rejects an earlier day as a filter.
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

/** The maximum number of days between two dates of one transaction, for example the date of the purchase and that of the booking. */
export const shiftDaysMax = 3;

/**
 * Returns a period of `periodsOf` with additional days before and after it. The extended periods do not overlap, because the
 * gap between two periods has more days than are added to it from both sides.
 */
function padPeriod({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const isFirst = dayNumber(from) - shiftDaysMax < dayNumber(earliestDate);
  return {
    from: isFirst ? earliestDate : moveDay(from, -shiftDaysMax),
    to: to > '9999-12-28' ? to : moveDay(to, shiftDaysMax),
  };
}

/** Returns a day, and the days that are at most three days earlier or later. */
function daysAround(day: string): readonly string[] {
  return Array.from({ length: 2 * shiftDaysMax + 1 }, (_, index) => moveDay(day, index - shiftDaysMax));
}

function moveDay(day: string, by: number): string {
  return new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);
}

/**
 * The maximum number of days between a row and the next row of the same period. Without this limit, if two rows were years
 * apart, all movements between them would be listed.
 */
const gapDaysMax = 7;

/** Returns the number of days from 1970-01-01 to a day. */
export function dayNumber(day: string): number {
  return Date.parse(day) / 86_400_000;
}
