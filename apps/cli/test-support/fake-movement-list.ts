import { success } from './fake-responses.js';

type Json = Record<string, unknown>;

/** Returns a page of the movements that match the filters, in the order in which they were recorded. */
export function listMovements(all: readonly Json[], { searchParams }: URL): Response {
  const limit = Number(searchParams.get('limit') ?? 50);
  const start = Number(searchParams.get('cursor') ?? 0);
  const movements = filterMovements(all, searchParams);
  const rows = movements.slice(start, start + limit);
  const hasMore = start + limit < movements.length;
  const nextCursor = hasMore ? String(start + limit) : null;
  const total = searchParams.get('includeTotal') === 'true' ? movements.length : null;
  const pagination = { limit, offset: null, count: rows.length, total, hasMore, nextOffset: null, nextCursor };
  return success(rows, { pagination });
}

/** Returns the sums of each group, in the order in which the groups first appear. Treats every amount as EUR. */
export function summarizeMovements(all: readonly Json[], { searchParams }: URL): Response {
  const by = searchParams.get('groupBy') ?? '';
  const groups = new Map<string, Json & { expense: number; income: number }>();
  const groupFields = { category: 'categoryId', merchant: 'merchantName', account: 'accountId' };
  for (const movement of filterMovements(all, searchParams)) {
    if (movement.kind === 'transfer') continue;
    const value = movement[groupFields[by as keyof typeof groupFields]] as string | null;
    const key = by === 'month' ? String(movement.occurredOn).slice(0, 7) : value;
    const group = groups.get(`${key}`) ?? { key, expense: 0, income: 0, movementCount: 0 };
    group[movement.type as 'expense' | 'income'] += Number(movement.amountDecimal);
    groups.set(`${key}`, { ...group, movementCount: Number(group.movementCount) + 1 });
  }
  const limit = Number(searchParams.get('limit') ?? 100);
  const rows = [...groups.values()].slice(0, limit).map(({ key, expense, income, movementCount }) => ({
    key,
    currencyCode: 'EUR',
    expenseDecimal: expense.toFixed(2),
    incomeDecimal: income.toFixed(2),
    netDecimal: (income - expense).toFixed(2),
    movementCount,
  }));
  return success(rows, { summary: { groupCount: groups.size, hasMore: groups.size > limit, totals: [] } });
}

function filterMovements(all: readonly Json[], searchParams: URLSearchParams): Json[] {
  const equal = ['kind', 'type', 'accountId', 'externalId'].map((name) => [name, searchParams.get(name)] as const);
  const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? '9999-12-31'];
  return all.filter(
    (movement) =>
      equal.every(([name, wanted]) => wanted === null || movement[name] === wanted) &&
      (typeof movement.voidedAt !== 'string' || searchParams.get('includeVoided') === 'true') &&
      String(movement.occurredOn) >= from &&
      String(movement.occurredOn) <= to,
  );
}
