import type * as contracts from '@centavo/contracts';
import { headerNames } from '@centavo/contracts/calls';
import { type HttpHandler, HttpResponse, type PathParams } from 'msw';
import type { Movement } from '../money/record-types.js';
import { errorAnswer, successAnswer } from './answers.js';
import { aContext } from './book-records.js';
import { etagOf, etagOfTransfer, FakeBooks, type FakeBooksSeed } from './fake-books.js';
import { FakeKeys, type Written } from './fake-keys.js';
import { FakeRefusal } from './fake-refusal.js';
import { type Body, type BodyFields, parseBody } from './fake-requests.js';
import { pageOfMovements } from './movement-page.js';
import { type CallName, onCall } from './on-call.js';

/** The initial records of a {@link FakeCentavo}, and its clock. */
export interface FakeCentavoOptions extends FakeBooksSeed {
  /** Returns the current time. Default: the machine's clock. */
  readonly now?: (() => Date) | undefined;
}

interface FakeRequest {
  /** The method and the path. Writes with the same idempotency key must have the same method and path. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly parameters: PathParams;
  readonly text: string;
}

const movementFields = {
  required: ['type', 'amountDecimal', 'accountId'],
  others: ['cashboxId', 'categoryId', 'occurredOn', 'currencyCode', 'description', 'merchantName'],
};
const correctionFields = { required: [], others: ['amountDecimal', 'categoryId', 'description', 'merchantName'] };
const transferFields = {
  required: ['amountDecimal', 'fromAccountId', 'toAccountId'],
  others: ['fromCashboxId', 'toCashboxId', 'currencyCode', 'occurredOn', 'description'],
};
const categoryFields = { required: ['name'], others: ['kind', 'scope', 'parentId'] };

/**
 * A fake server for msw with one tracker in memory. The fake lists recorded movements, includes them in balances,
 * returns their ETags, and records each write once per idempotency key.
 *
 * It fakes these methods of the client:
 * - `context.get` and `trackers.list`
 * - `list`, `cashboxes` and `balances` of `accounts`
 * - `list`, `get` and `create` of `categories`
 * - `list`, `get`, `create`, `correct` and `correctWith` of `movements`
 * - `get` and `create` of `transfers`
 *
 * Envelopes, headers, paging, idempotency keys, replayed responses, conflicts and the most common errors are the same as on the server.
 *
 * It does not fake permissions, rate limits, a second tracker, opening balances or time zones. Every token may do everything, a
 * request for another tracker fails with 403, and the current date is the date in UTC. The fake does not check the length
 * of strings, the range of dates, the parent of a new category, whether an existing category is allowed for a movement, or
 * whether the name of a category is taken. It ignores `asOf` and `dryRun`, so it records a dry run like a real write. It rejects
 * the field `externalId` in a request body.
 *
 * To respond to another operation, or to return an error of your choice, create a handler with {@link onCall} and put it before the
 * handlers of the fake. msw reports requests without a handler.
 * @example
 * import { FinancialClient } from '@centavo/sdk';
 * import { anAccount, aSecret, FakeCentavo } from '@centavo/sdk/testing';
 * import { setupServer } from 'msw/node';
 *
 * const account = anAccount();
 * const centavo = new FakeCentavo({ accounts: [account] });
 * const server = setupServer(...centavo.handlers);
 * server.listen({ onUnhandledRequest: 'error' });
 *
 * const client = new FinancialClient({ token: aSecret() });
 * centavo.loseNextAnswer('createMovement');
 * await client.movements.create({ type: 'expense', amountDecimal: '12.50', accountId: account.id });
 * console.log(centavo.movements.length); // 1: the retry received the stored response
 * server.close();
 */
export class FakeCentavo {
  /** The handlers for `setupServer` or `setupWorker`. */
  readonly handlers: readonly HttpHandler[];
  readonly #books: FakeBooks;
  readonly #keys = new FakeKeys();
  readonly #answersToLose: CallName[] = [];

  constructor(options: FakeCentavoOptions = {}) {
    this.#books = new FakeBooks(options, options.now ?? (() => new Date()));
    const operations = Object.entries(this.#operations()) as [CallName, Operation][];
    this.handlers = operations.map(([name, operation]) =>
      onCall(name, async ({ request, params }) => this.#answer(name, operation, await readRequest(request, params))),
    );
  }

  /**
   * The initial movements, and after them the recorded movements in the order of recording. A transfer is recorded as two
   * movements, an expense and an income.
   * @example
   * import { aMovement, FakeCentavo } from '@centavo/sdk/testing';
   *
   * const centavo = new FakeCentavo({ movements: [aMovement({ description: 'Rent' })] });
   * console.log(centavo.movements.map(({ description }) => description)); // ["Rent"]
   */
  get movements(): readonly Movement[] {
    return [...this.#books.movements];
  }

  /**
   * Changes a movement and its ETag. Simulates a change that another client makes between a read and a write of the tested
   * program.
   * @example
   * import { aMovement, FakeCentavo } from '@centavo/sdk/testing';
   *
   * const lunch = aMovement();
   * const centavo = new FakeCentavo({ movements: [lunch] });
   * centavo.changeMovement(lunch.id, { description: 'Lunch with Berta' });
   */
  changeMovement(movementId: string, fields: Partial<contracts.Movement>): Movement {
    return this.#books.change(movementId, fields);
  }

  /**
   * Loses the response to the next request for the operation `call`: the fake processes the request, but the client gets no
   * response, as if the connection broke after the commit.
   * @example
   * import { FakeCentavo } from '@centavo/sdk/testing';
   *
   * const centavo = new FakeCentavo();
   * centavo.loseNextAnswer('createMovement');
   */
  loseNextAnswer(call: CallName): void {
    this.#answersToLose.push(call);
  }

  #answer(name: CallName, operation: Operation, request: FakeRequest): Response {
    const answer = this.#answerOf(operation, request);
    const index = this.#answersToLose.indexOf(name);
    if (index === -1) return answer;
    this.#answersToLose.splice(index, 1);
    return HttpResponse.error();
  }

  #answerOf(operation: Operation, request: FakeRequest): Response {
    try {
      if (request.headers.get('authorization')?.startsWith('Bearer ') !== true)
        throw new FakeRefusal('UNAUTHENTICATED');
      const trackerId = request.headers.get(headerNames.trackerId) ?? this.#books.tracker.id;
      if (trackerId !== this.#books.tracker.id) {
        throw new FakeRefusal('TRACKER_FORBIDDEN', { details: { trackerIds: [trackerId] } });
      }
      return operation(request);
    } catch (error) {
      if (error instanceof FakeRefusal) return errorAnswer(error.code, error.fields);
      throw error;
    }
  }

  #operations(): Partial<Record<CallName, Operation>> {
    const books = this.#books;
    const success = (data: unknown) => successAnswer(data, { trackerId: books.tracker.id });
    return {
      getContext: () => success(aContext({ activeTrackerId: books.tracker.id, defaultTrackerId: books.tracker.id })),
      listTrackers: () => success([books.tracker]),
      listAccounts: () => success(books.accounts),
      listCashboxes: ({ parameters }) => success(books.cashboxesOf(parameters.accountId)),
      listBalances: () => success(books.balances()),
      listCategories: () => success(books.categories),
      getCategory: ({ parameters }) => success(books.getCategory(parameters.categoryId)),
      createCategory: (request) =>
        this.#write(request, categoryFields, 201, (body) => {
          const data = books.createCategory(body);
          return { data, location: `/v1/financial/categories/${data.id}` };
        }),
      listMovements: ({ query }) => {
        const { rows, pagination } = pageOfMovements(books.movements, query);
        return successAnswer(rows, { pagination, trackerId: books.tracker.id });
      },
      getMovement: ({ parameters }) => {
        const movement = books.getMovement(parameters.movementId);
        return successAnswer(movement, { etag: etagOf(movement), trackerId: books.tracker.id });
      },
      createMovement: (request) =>
        this.#write(request, movementFields, 201, (body) => {
          const data = books.createMovement(body);
          return { data, etag: etagOf(data), location: `/v1/financial/movements/${data.id}` };
        }),
      correctMovement: (request) =>
        this.#write(request, correctionFields, 200, (body) => {
          const data = books.correctMovement(request.parameters.movementId, body, request.headers.get('if-match'));
          return { data, etag: etagOf(data) };
        }),
      createTransfer: (request) =>
        this.#write(request, transferFields, 201, (body) => {
          const data = books.createTransfer(body);
          return { data, etag: etagOfTransfer(data), location: `/v1/financial/transfers/${data.groupId}` };
        }),
      getTransfer: ({ parameters }) => {
        const transfer = books.getTransfer(parameters.groupId);
        return successAnswer(transfer, { etag: etagOfTransfer(transfer), trackerId: books.tracker.id });
      },
    };
  }

  #write(request: FakeRequest, fields: BodyFields, status: number, write: (body: Body) => Written): Response {
    const body = parseBody(request.text, fields);
    const key = request.headers.get(headerNames.idempotencyKey);
    const { data, etag, location, replayed } = this.#keys.once({ key, path: request.path, body }, () => write(body));
    const statusFields = replayed ? { replayed } : { status, location };
    return successAnswer(data, { ...statusFields, etag, trackerId: this.#books.tracker.id });
  }
}

type Operation = (request: FakeRequest) => Response;

async function readRequest(request: Request, parameters: PathParams): Promise<FakeRequest> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.text();
  return { path: `${request.method} ${pathname}`, query: searchParams, headers: request.headers, parameters, text };
}
