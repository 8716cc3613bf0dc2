import type fc from 'fast-check';
import { expect } from 'vitest';
import { type Done, type Entry, type Filter, type groupings, type Ledger, positionOf } from './ledger.js';
import { counts, type LedgerApi, requireRefusal } from './ledger-api.js';

export type Command = fc.AsyncCommand<Ledger, LedgerApi>;

interface PagesChoice {
  /** The sizes of the pages. If there are more pages than sizes, the sizes repeat. */
  readonly limits: readonly number[];
  readonly cashbox: number;
  readonly isByAccount: boolean;
  readonly type?: 'expense' | 'income' | undefined;
  readonly kind?: 'regular' | 'transfer' | undefined;
  readonly from?: string | undefined;
  readonly externalId?: string | undefined;
  readonly includeVoided?: 'true' | undefined;
}

/** Reads all pages of the list of movements, and compares them with the model. Runs `between` after the first page. */
export const readPages = (choice: PagesChoice, between?: Command): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.cashboxes.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const { limits } = choice;
    const filter = filterOf(ledger, choice);
    let cursor: string | null = null;
    let last: Entry['record'] | undefined;
    for (let page = 0; page === 0 || cursor !== null; page += 1) {
      const limit = limits[page % limits.length] ?? 1;
      const position: Record<string, string> = cursor === null ? {} : { cursor };
      const query = new URLSearchParams({ ...filter, limit: String(limit), includeTotal: 'true', ...position });
      const { status, data, meta } = await api.call(`GET /v1/financial/movements?${query}`);
      const all = ledger.list(filter);
      const rest = all.filter((record) => last === undefined || positionOf(record) < positionOf(last));
      const expected = rest.slice(0, limit);
      expect(status).toBe(200);
      expect(data.map((record: Entry['record']) => record.id)).toEqual(expected.map(({ id }) => id));
      expect(data).toMatchObject(expected);
      expect(meta.pagination).toMatchObject({
        limit,
        count: expected.length,
        total: all.length,
        hasMore: rest.length > limit,
      });
      counts.pages += 1;
      counts.tiesInPages += countTies(expected);
      cursor = meta.pagination.nextCursor;
      expect(cursor !== null).toBe(rest.length > limit);
      last = expected.at(-1);
      if (page === 0) await between?.run(ledger, api);
    }
  },
  toString: () => `read pages ${JSON.stringify(choice)}${between === undefined ? '' : `, and between: ${between}`}`,
});

function filterOf(
  ledger: Ledger,
  choice: Pick<PagesChoice, 'cashbox' | 'isByAccount'> & { readonly [Name in keyof Filter]?: Filter[Name] | undefined },
): Filter {
  const { cashbox, isByAccount, type, kind, from, externalId, includeVoided } = choice;
  const { accountId } = ledger.cashboxes[cashbox % ledger.cashboxes.length] ?? {};
  return {
    ...(isByAccount && accountId !== undefined ? { accountId } : {}),
    ...(type === undefined ? {} : { type }),
    ...(kind === undefined ? {} : { kind }),
    ...(from === undefined ? {} : { from }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(includeVoided === undefined ? {} : { includeVoided }),
  };
}

interface SummaryChoice extends Pick<PagesChoice, 'cashbox' | 'isByAccount' | 'type' | 'from'> {
  readonly by: (typeof groupings)[number];
  readonly limit: number;
}

/** Compares a summary with the model. */
export const summarize = (choice: SummaryChoice): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.cashboxes.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const { by, limit } = choice;
    const filter = filterOf(ledger, choice);
    const query = new URLSearchParams({ groupBy: by, ...filter, limit: String(limit) });
    const { status, data, meta } = await api.call(`GET /v1/financial/movements/summary?${query}`);
    const { rows, totals } = ledger.summarize(by, filter);
    expect(status).toBe(200);
    expect(data).toEqual(rows.slice(0, limit));
    expect(meta.summary).toEqual({ groupCount: rows.length, hasMore: rows.length > limit, totals });
    counts.summaries += 1;
  },
  toString: () => `summarize ${JSON.stringify(choice)}`,
});

/** Repeats an earlier write. The response must have the data and the ETag of the first response. */
export const replay = (done: number): Command => ({
  check: (ledger: Readonly<Ledger>) => ledger.done.length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const { methodAndPath, headers, body, data, etag } = ledger.done[done % ledger.done.length] as Done;
    const answer = await api.call(methodAndPath, { headers, body });
    expect(answer).toMatchObject({ status: 200, data, meta: { idempotentReplay: true } });
    expect(answer.headers.get('ETag')).toBe(etag);
    counts.replays += 1;
  },
  toString: () => `replay ${done}`,
});

/** Sends an earlier write again, with the same key and another body. The API must refuse it. */
export const reuseKey = (done: number): Command => ({
  check: (ledger: Readonly<Ledger>) => writesWithBody(ledger).length > 0,
  async run(ledger: Ledger, api: LedgerApi): Promise<void> {
    const written = writesWithBody(ledger);
    const { methodAndPath, headers, body } = written[done % written.length] as Done;
    const other = 'name' in body ? { ...body, name: 'Something else' } : { ...body, amountDecimal: '123456' };
    const answer = await api.call(methodAndPath, { headers, body: other });
    requireRefusal(answer, { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' });
    counts.reusedKeys += 1;
  },
  toString: () => `reuse key ${done}`,
});

/** Returns the writes that can be repeated with another body. A void has no body. */
function writesWithBody({ done }: Readonly<Ledger>): readonly Done[] {
  return done.filter(({ body }) => Object.keys(body).length > 0);
}

/** Returns the number of movements with the same date and creation time as the movement before. Only the ids determine the order. */
function countTies(records: readonly Entry['record'][]): number {
  return records.filter(({ occurredOn, createdAt }, index) => {
    const before = records[index - 1];
    return before?.occurredOn === occurredOn && before.createdAt === createdAt;
  }).length;
}
