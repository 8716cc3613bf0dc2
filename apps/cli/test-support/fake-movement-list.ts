import { success } from './fake-answers.js';

type Json = Record<string, unknown>;

/** A page of movements, in the order in which they were recorded, with the filters that an import uses. */
export function listMovements(all: readonly Json[], { searchParams }: URL): Response {
  const limit = Number(searchParams.get('limit') ?? 50);
  const start = Number(searchParams.get('cursor') ?? 0);
  const equal = ['kind', 'type', 'accountId'].map((name) => [name, searchParams.get(name)] as const);
  const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? '9999-12-31'];
  const movements = all.filter(
    (movement) =>
      equal.every(([name, wanted]) => wanted === null || movement[name] === wanted) &&
      String(movement.occurredOn) >= from &&
      String(movement.occurredOn) <= to,
  );
  const rows = movements.slice(start, start + limit);
  const hasMore = start + limit < movements.length;
  const nextCursor = hasMore ? String(start + limit) : null;
  const total = searchParams.get('includeTotal') === 'true' ? movements.length : null;
  const pagination = { limit, offset: null, count: rows.length, total, hasMore, nextOffset: null, nextCursor };
  return success(rows, { pagination });
}
