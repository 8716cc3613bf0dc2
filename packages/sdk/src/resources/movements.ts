import type { CorrectMovementInput, CreateMovementInput, Preview } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions, PreviewOptions } from '../call-options.js';
import { type AskForPatch, correctWithRefetch } from '../conflicts/correct-with-refetch.js';
import { UsageError } from '../errors/usage-errors.js';
import type { BulkResult, Movement, MovementSummary } from '../money/record-types.js';
import type { CallRequest, Send } from '../transport/call-request.js';
import { type AtomicOptions, createMany, type IndependentOptions, type KeyedMovementInput } from './create-many.js';

/**
 * The filters and the pagination of a list of movements. All fields are optional.
 * @source docs/financial-integration-api.md; docs/contract.md, section 4
 */
export interface MovementFilters {
  readonly type?: Movement['type'] | undefined;
  readonly kind?: Movement['kind'] | undefined;
  /** The id of one category. Cannot be combined with `categoryIds`. */
  readonly categoryId?: string | undefined;
  /** The ids of at most five categories. */
  readonly categoryIds?: readonly string[] | undefined;
  readonly accountId?: string | undefined;
  readonly cashboxId?: string | undefined;
  /** The first day, `YYYY-MM-DD`, inclusive. */
  readonly from?: string | undefined;
  /** The last day, `YYYY-MM-DD`, inclusive. */
  readonly to?: string | undefined;
  /** The exact `externalId`. */
  readonly externalId?: string | undefined;
  /** True to also list voided movements. */
  readonly includeVoided?: boolean | undefined;
  /** The maximum number of rows in a page, 1–200. The server's default is 50. */
  readonly limit?: number | undefined;
  /** Rows to skip, 0–100 000. Cannot be combined with `cursor`. */
  readonly offset?: number | undefined;
  /** The start of the page: `pagination.nextCursor` of an earlier page. */
  readonly cursor?: string | undefined;
  /** True to also return the number of all matching rows, as `pagination.total`. */
  readonly includeTotal?: boolean | undefined;
}

/**
 * The grouping and the filters of a summary.
 * @source docs/additions.md, section 2.3
 */
export interface SummaryFilters
  extends Pick<MovementFilters, 'type' | 'categoryId' | 'categoryIds' | 'accountId' | 'cashboxId' | 'from' | 'to'> {
  readonly groupBy: 'category' | 'month' | 'merchant' | 'account';
  readonly currencyCode?: string | undefined;
  /** The maximum number of groups, 1–1000. The server's default is 100. */
  readonly limit?: number | undefined;
}

/** Options of a correction or a void. */
export type CorrectOptions = CallOptions & {
  /** The ETag of the version to change, from `withResponse()` of a read. The value `null` makes the method fail with a UsageError. */
  readonly etag: string | null;
};

/** Options of `correctWith`. There is no `idempotencyKey`, because the client creates a new key for each write. */
export type CorrectWithOptions = Omit<CallOptions, 'idempotencyKey'> & {
  /**
   * The maximum number of rounds. In each round, the client reads the movement, calls the callback `ask`, and writes the correction.
   * Retries within a round are not counted. Default 3.
   */
  readonly attempts?: number | undefined;
};

/**
 * Expenses and incomes.
 * @source docs/financial-integration-api.md, Movements and transfers
 * @example
 * const movement = await client.movements.create({ type: 'expense', amountDecimal: '12.50', accountId });
 * await client.movements.correctWith(movement.id, () => ({ description: 'Lunch' }));
 */
export class MovementsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists movements, newest first. `await` returns the first page, and `for await` yields the rows of all pages.
   * @throws ValidationError if a filter is invalid, or if two filters conflict
   * @example for await (const movement of client.movements.list({ from: '2026-01-01' })) console.log(movement.amountDecimal);
   */
  list(filters: MovementFilters = {}, options?: CallOptions): ListPromise<Movement> {
    return sendList<Movement>(this.#send, { call: calls.listMovements, query: { ...filters }, options });
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  create(input: CreateMovementInput, options: PreviewOptions): ApiPromise<Preview<Movement>>;
  /**
   * Records an expense or income. A repeated call with the same idempotency key records no second movement.
   * @throws ValidationError if the input is not valid, for example if an amount has more decimal places than its currency
   * @throws OutcomeUnknownError if the response was lost; repeat the call with the `idempotencyKey` of the error
   * @example await client.movements.create({ type: 'expense', amountDecimal: '12.50', accountId });
   */
  create(input: CreateMovementInput, options?: CallOptions): ApiPromise<Movement>;
  create(input: CreateMovementInput, options?: CallOptions | PreviewOptions): ApiPromise<Movement> {
    return new ApiPromise(this.#send<Movement>({ call: calls.createMovement, body: input, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  createMany(
    movements: readonly CreateMovementInput[],
    options: AtomicOptions & PreviewOptions,
  ): Promise<Preview<Movement>[]>;
  createMany(
    movements: readonly KeyedMovementInput[],
    options: IndependentOptions & PreviewOptions,
  ): Promise<Preview<BulkResult>[]>;
  /**
   * Records movements, and returns them in the same order. The SDK sends requests of at most 100 movements and 60 KiB, one after another; a
   * single movement above 60 KiB gets its own request. Each request records all its movements or none. After an error with an
   * `idempotencyKey`, you can call `createMany` again with the same movements and this key: the server does not record a movement twice. If
   * the call ends because its `signal` is aborted or the token function fails, the error may have no key, although earlier requests
   * may have recorded movements. If this can happen in your program, pass your own `idempotencyKey`.
   * @throws ValidationError with all issues of the rejected request, at paths such as `movements.17.amountDecimal`; the number is the
   *   index of the movement in the rejected request, starting at 0
   * @example
   * await client.movements.createMany(
   *   [{ type: 'expense', amountDecimal: '12.50', accountId }, { type: 'income', amountDecimal: '3.00', accountId }],
   *   { idempotencyKey: 'june-receipts' },
   * );
   */
  createMany(movements: readonly CreateMovementInput[], options?: AtomicOptions): Promise<Movement[]>;
  /**
   * Records each movement under its own `idempotencyKey`, as `create` would, and returns one result for each movement, in the same
   * order. If a movement fails, its result has the status `failed`, and the server still records the others. If the promise of the call
   * rejects, call `createMany` again with the same movements and keys: the server does not record a movement twice.
   * @example
   * const movement = { type: 'expense', amountDecimal: '12.50', accountId } as const;
   * const rows = [{ ...movement, idempotencyKey: 'row-1' }, { ...movement, idempotencyKey: 'row-2' }];
   * const results = await client.movements.createMany(rows, { mode: 'independent' });
   * console.log(results.filter(({ status }) => status === 'failed').map(({ error }) => error?.message));
   */
  createMany(movements: readonly KeyedMovementInput[], options: IndependentOptions): Promise<BulkResult[]>;
  createMany(
    movements: readonly CreateMovementInput[] | readonly KeyedMovementInput[],
    options: AtomicOptions | IndependentOptions = {},
  ): Promise<unknown[]> {
    return createMany(this.#send, { movements, options });
  }

  /**
   * Returns a movement. `withResponse()` also returns its ETag.
   * @throws NotFoundError if the movement is not in the tracker
   * @example const { data, etag } = await client.movements.get(movementId).withResponse();
   */
  get(movementId: string, options?: CallOptions): ApiPromise<Movement> {
    return new ApiPromise(this.#send<Movement>({ call: calls.getMovement, pathParameters: { movementId }, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  correct(
    movementId: string,
    patch: CorrectMovementInput,
    options: CorrectOptions & PreviewOptions,
  ): ApiPromise<Preview<Movement>>;
  /**
   * Corrects a movement if `etag` is still its current ETag. The value `null` clears `description` or `merchantName`. A
   * `categoryId` of `null` selects the category `cat_unknown`.
   * @throws VersionConflictError if the movement has changed; `currentEtag` is its new ETag
   * @throws UsageError if `etag` is null or empty
   * @throws StateConflictError if the movement is voided (reason `voided`) or belongs to a transfer (reason `transfer_leg`)
   * @example
   * const { etag } = await client.movements.get(movementId).withResponse();
   * await client.movements.correct(movementId, { amountDecimal: '13.00' }, { etag });
   */
  correct(movementId: string, patch: CorrectMovementInput, options: CorrectOptions): ApiPromise<Movement>;
  correct(movementId: string, patch: CorrectMovementInput, options: CorrectOptions): ApiPromise<Movement> {
    return new ApiPromise(this.#correct(movementId, patch, options));
  }

  /**
   * Reads a movement, calls `ask` to get the correction, and writes it. After a version conflict, the client reads the
   * movement and calls `ask` again. If `ask` returns undefined, the client writes nothing, and `correctWith` returns the movement.
   * `timeoutMs` and `maxRetries` apply to each request.
   * @throws VersionConflictError if the last round also ends with a conflict
   * @example
   * await client.movements.correctWith(movementId, (current) =>
   *   current.description === null ? { description: 'Lunch' } : undefined,
   * );
   */
  correctWith(movementId: string, ask: AskForPatch, options: CorrectWithOptions = {}): ApiPromise<Movement> {
    const { attempts = 3, ...callOptions } = options;
    return new ApiPromise(
      correctWithRefetch({
        ask,
        attempts,
        read: () => this.get(movementId, callOptions).withResponse(),
        write: (patch, etag) => this.correct(movementId, patch, { ...callOptions, etag }).withResponse(),
      }),
    );
  }

  /** Returns the result of the void as a preview, and records nothing. */
  void(movementId: string, options: CorrectOptions & PreviewOptions): ApiPromise<Preview<Movement>>;
  /**
   * Voids a movement if `etag` is still its current ETag. The movement stays readable, but balances and totals exclude it.
   * Lists contain it only with `includeVoided`. A void cannot be undone.
   * @throws VersionConflictError if the movement has changed; `currentEtag` is its new ETag
   * @throws UsageError if `etag` is null or empty
   * @throws StateConflictError if the movement is voided (reason `voided`) or belongs to a transfer (reason `transfer_leg`)
   * @example
   * const { etag } = await client.movements.get(movementId).withResponse();
   * await client.movements.void(movementId, { etag });
   */
  void(movementId: string, options: CorrectOptions): ApiPromise<Movement>;
  void(movementId: string, options: CorrectOptions): ApiPromise<Movement> {
    return new ApiPromise(
      sendAtVersion<Movement>(this.#send, { call: calls.voidMovement, pathParameters: { movementId }, options }),
    );
  }

  /**
   * Adds up movements by category, month, merchant or account, and returns one row for each group and currency. `withResponse()` also
   * returns the totals of all groups in `meta.summary`.
   * @throws ValidationError if a filter is invalid, or if two filters conflict
   * @example
   * const months = await client.movements.summary({ groupBy: 'month', from: '2026-01-01' });
   * console.log(months.map(({ key, netDecimal }) => `${key} ${netDecimal}`));
   */
  summary(filters: SummaryFilters, options?: CallOptions): ApiPromise<MovementSummary[]> {
    return new ApiPromise(
      this.#send<MovementSummary[]>({ call: calls.summarizeMovements, query: { ...filters }, options }),
    );
  }

  #correct(movementId: string, patch: CorrectMovementInput, options: CorrectOptions) {
    const pathParameters = { movementId };
    return sendAtVersion<Movement>(this.#send, { call: calls.correctMovement, pathParameters, body: patch, options });
  }
}

/**
 * Sends a write that requires an ETag. The function is async so that a missing ETag rejects the promise instead of throwing
 * synchronously.
 * @throws UsageError if `etag` is missing, null or empty
 */
export async function sendAtVersion<Data>(
  send: Send,
  request: Omit<CallRequest, 'etag' | 'options'> & { readonly options: CorrectOptions },
) {
  const { etag, ...options } = request.options ?? {};
  if (typeof etag !== 'string' || etag === '') throw new UsageError('etag must be the ETag of the version to change');
  return send<Data>({ ...request, etag, options });
}
