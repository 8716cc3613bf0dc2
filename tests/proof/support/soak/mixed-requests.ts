import type { SeededRandom } from '../seeded-random.js';
import type { TenantWithAccounts } from '../tenants-with-accounts.js';

/** A request of the load and its expected status. */
export interface MixedRequest {
  readonly methodAndPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly expected: number;
}

/** The requests and the state of one client. */
export interface MixedClient {
  /**
   * Returns the next request and its kind. Until the client has recorded a movement, every request records a movement. Later
   * requests have the kind `chosenKind`.
   * @param marker the key of the write, new each time
   */
  next(chosenKind: MixedKind, marker: string): { readonly kind: MixedKind; readonly request: MixedRequest };
  /** Stores the ETag and the location from the headers of the last response, for later requests. The response must be the expected one. */
  processAnswer(head: string): void;
}

export type MixedKind =
  | 'movements'
  | 'transfers'
  | 'corrections'
  | 'replays'
  | 'lists'
  | 'balances'
  | 'budgets'
  | 'refusals';

const kinds: readonly [MixedKind, ...MixedKind[]] = [
  'movements',
  'movements',
  'movements',
  'transfers',
  'corrections',
  'replays',
  'lists',
  'balances',
  'budgets',
  'refusals',
];

/**
 * Returns the kind of a random request. Half of the requests are new writes, and a tenth are lists, which are the most
 * expensive.
 */
export const drawKind = (random: SeededRandom): MixedKind => random.oneOf(kinds);

interface Recorded {
  readonly path: string;
  readonly etag: string;
  readonly request: MixedRequest;
}

const api = '/v1/financial';
const unknownId = '01890000-0000-7000-8000-000000000000';

/** Creates the client of a tenant. The client corrects and repeats only its own writes. */
export function openMixedClient({ headers, accounts }: TenantWithAccounts): MixedClient {
  let recorded: Recorded | undefined;
  let last: MixedRequest;
  let refusals = 0;
  const { accountId, otherAccountId, budgetId } = accounts;
  const read = (path: string): MixedRequest => ({ methodAndPath: `GET ${api}${path}`, headers, expected: 200 });
  const write = (methodAndPath: string, key: string, body: unknown): MixedRequest => ({
    methodAndPath,
    headers: { ...headers, 'Idempotency-Key': key },
    body,
    expected: 201,
  });
  const movement = (marker: string, amountDecimal = '1.00') =>
    write(`POST ${api}/movements`, marker, { type: 'expense', amountDecimal, accountId, description: marker });
  const correction = ({ path, etag }: Recorded, marker: string): MixedRequest => {
    const { headers: keyed } = write('', marker, undefined);
    const body = { amountDecimal: '2.00', description: marker };
    return { methodAndPath: `PATCH ${path}`, headers: { ...keyed, 'If-Match': etag }, body, expected: 200 };
  };

  /** Cycles through all kinds of refusals, because each has its own path in the code. */
  function refusal(record: Recorded, marker: string): MixedRequest {
    const refusedRequests: readonly [MixedRequest, ...MixedRequest[]] = [
      { ...movement(marker, '0.00'), expected: 400 },
      { ...read('/balances'), headers: { ...headers, Authorization: 'Bearer nobody' }, expected: 401 },
      { ...read(`/movements/${unknownId}`), expected: 404 },
      { ...correction({ ...record, etag: '"of-another-version"' }, marker), expected: 409 },
      { ...movement(record.request.headers['Idempotency-Key'] ?? '', '9.00'), expected: 409 },
    ];
    refusals += 1;
    return refusedRequests[refusals % refusedRequests.length] ?? refusedRequests[0];
  }

  const builders: Readonly<Record<MixedKind, (record: Recorded, marker: string) => MixedRequest>> = {
    movements: (_, marker) => movement(marker),
    transfers: (_, marker) =>
      write(`POST ${api}/transfers`, marker, {
        amountDecimal: '2.00',
        fromAccountId: accountId,
        toAccountId: otherAccountId,
        description: marker,
      }),
    corrections: correction,
    replays: ({ request }) => ({ ...request, expected: 200 }),
    lists: () => read('/movements?limit=50'),
    balances: () => read('/balances'),
    budgets: () => read(`/budgets/${budgetId}`),
    refusals: refusal,
  };

  return {
    next(chosenKind, marker) {
      const kind = recorded === undefined ? 'movements' : chosenKind;
      last = recorded === undefined ? movement(marker) : builders[kind](recorded, marker);
      return { kind, request: last };
    },
    processAnswer(head) {
      const etag = /^etag: (.+)$/im.exec(head)?.[1] ?? '';
      if (last.methodAndPath.startsWith('PATCH') && last.expected === 200 && recorded !== undefined) {
        recorded = { ...recorded, etag };
      }
      if (last.methodAndPath === `POST ${api}/movements` && last.expected === 201) {
        recorded = { path: /^location: (.+)$/im.exec(head)?.[1] ?? '', etag, request: last };
      }
    },
  };
}
