import type { BalanceFinding } from './balances.js';
import type { StatementSpan } from './overlapping-statements.js';
import type { StatementBalances } from './survey-accounts.js';
import { describeAmount } from './totals.js';

/**
 * Compares the opening balance of each statement with the closing balance of the statement before it, in each account and currency. If no
 * day is between the two statements, different balances are a disagreement. If days are between them, a statement may be missing.
 *
 * Statements with the same first and last day are not compared, because the file does not show which of them is the first. A statement
 * of an earlier file is compared only if it ends before the first day of the other statement. Otherwise, both may have the same rows.
 *
 * @param withCopies the positions of the statements that share rows with an earlier statement. Their periods may overlap those of other
 *   statements, so differences from their balances are not reported. But a statement that begins with the closing balance of one of
 *   them agrees, even if the balances of other statements differ
 * @returns the findings, each with the identity of its account (see `identityOf`)
 */
export function compareSequence(
  spans: readonly StatementSpan[],
  withCopies: ReadonlySet<number>,
): readonly { readonly account: string; readonly finding: BalanceFinding }[] {
  const groups = new Map<string, { account: string; statements: SequenceStatement[] }>();
  for (const { statement, account, balances, earlier } of spans) {
    if (balances === undefined || balances.opening.day > balances.closing.day) continue;
    const key = JSON.stringify([account, balances.currencyCode]);
    const group = groups.get(key) ?? { account, statements: earlier.map((one) => ({ ...one, hasCopies: false })) };
    group.statements.push({ ...balances, hasCopies: withCopies.has(statement) });
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ account, statements }) => {
    const byEnd = statements.toSorted((one, other) => compareTexts(one.closing.day, other.closing.day));
    return byEnd.flatMap((statement) => {
      const isCompared = !statement.hasCopies && statement.fileName === undefined;
      const finding = isCompared ? compareWithEarlier(statement, byEnd) : undefined;
      return finding === undefined ? [] : [{ account, finding }];
    });
  });
}

interface SequenceStatement extends StatementBalances {
  readonly hasCopies: boolean;
}

/**
 * Compares the opening balance with the closing balances of the statements that end on the same day or the day before. If there are none,
 * compares it with those that end last before this day. Returns a finding if no closing balance is equal.
 * @param byEnd all statements of the account and currency, sorted by the day of the closing balance
 */
function compareWithEarlier(
  statement: SequenceStatement,
  byEnd: readonly SequenceStatement[],
): BalanceFinding | undefined {
  const { opening, currencyCode } = statement;
  const dayBefore = previousDay(opening.day);
  let previous: StatementBalances | undefined;
  for (let place = countUntil(opening.day, byEnd) - 1; place >= 0; place -= 1) {
    const earlier = byEnd[place] as SequenceStatement;
    if (previous !== undefined && earlier.closing.day < dayBefore && earlier.closing.day < previous.closing.day) break;
    if (earlier === statement) continue;
    if (earlier.closing.amount === opening.amount) return undefined;
    const mayOverlap = earlier.fileName !== undefined && earlier.closing.day === opening.day;
    if (!earlier.hasCopies && !mayOverlap && !haveSameDays(earlier, statement)) previous ??= earlier;
  }
  if (previous === undefined) return undefined;
  const { amount, day } = previous.closing;
  const end = previous.fileName === undefined ? day : `${day} (${previous.fileName})`;
  const message = `the closing balance on ${end} is ${describeAmount(amount, currencyCode)}, but the next statement begins on ${opening.day} with ${describeAmount(opening.amount, currencyCode)}`;
  return day < dayBefore
    ? { kind: 'gap', text: `${message}: a statement between them may be missing` }
    : { kind: 'disagrees', message };
}

function haveSameDays(one: StatementBalances, other: StatementBalances): boolean {
  return one.opening.day === other.opening.day && one.closing.day === other.closing.day;
}

/** Returns the number of statements that end on or before a day. */
function countUntil(day: string, byEnd: readonly StatementBalances[]): number {
  let [low, high] = [0, byEnd.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((byEnd[middle] as StatementBalances).closing.day <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function previousDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
