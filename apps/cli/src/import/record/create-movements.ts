import { bodyBytesMax, bulkItemsMax } from '@centavo/contracts/calls';
import {
  type CreateMovementInput,
  type FinancialClient,
  isRateLimitError,
  isServerError,
  isValidationError,
} from '@centavo/sdk';
import { isMissingOperation } from '../../client/is-missing-operation.js';
import { connectionsMax } from '../../network/open-fetch.js';
import { isKeyReusedError } from '../plan/recorded/used-keys.js';
import { isRowError, isUnavailable } from '../retry.js';

/** A movement that waits to be sent. */
interface Waiting {
  readonly body: CreateMovementInput;
  readonly idempotencyKey: string;
  readonly resolve: (outcome: Created) => void;
  readonly reject: (error: unknown) => void;
}

/** The result of a write: whether the movement was recorded earlier, and its id. */
export interface Created {
  readonly replayed: boolean;
  readonly id: string | null;
}

/**
 * The maximum number of concurrent requests with many movements. On the server, more requests would only wait for the
 * same locks on balances.
 */
const bulkRequestsMax = 4;

/** The maximum total size of the movements in one request, in bytes. The rest of the allowed body is for the other fields. */
const bulkBytesMax = bodyBytesMax - 4_096;

/**
 * Creates movements, each under its own idempotency key. If the server has POST /movements/bulk, movements that wait at the
 * same time share a request. While a shared request is in progress, the next shared request is sent only
 * when it is full. The rate limit counts every ten movements of a request as one request, rounded up. After a 429 response
 * to a shared request, only one shared request is sent at a time.
 *
 * If the server does not have POST /movements/bulk, each movement gets a separate request. A movement that a shared request
 * did not record is also sent separately, to get its own error. If a shared request causes a server error, each of its
 * movements is sent separately, because one of them may have caused the error.
 *
 * An earlier version of the CLI sent movements without `externalId`. So if the server refuses an idempotency key that was used
 * with another body, the movement is sent again without `externalId`. If the key was first used with exactly this body, the
 * server returns its earlier response. The first version of the server does not know the field `externalId` and refuses it.
 * After one such refusal, this movement and all later ones are sent without the field.
 *
 * In a dry run, each movement gets a separate request that records nothing.
 * @source docs/additions.md, section 2.2
 */
export class MovementCreator {
  readonly #client: FinancialClient;
  readonly #isDryRun: boolean;
  readonly #waiting: Waiting[] = [];
  /** The idempotency keys of movements that get a separate request. */
  readonly #alone = new Set<string>();
  /** Whether the server has POST /movements/bulk; undefined until a response shows it. */
  #hasBulk: boolean | undefined;
  #hasExternalIds = true;
  #bulkRequests = 0;
  #isRateLimited = false;
  #isScheduled = false;

  constructor(client: FinancialClient, { isDryRun }: { isDryRun: boolean }) {
    this.#client = client;
    this.#isDryRun = isDryRun;
  }

  /**
   * The maximum number of movements to create concurrently; 1 until a response shows whether the server has POST
   * /movements/bulk.
   */
  get concurrency(): number {
    if (this.#hasBulk === undefined) return 1;
    return this.#hasBulk ? bulkRequestsMax * bulkItemsMax : connectionsMax;
  }

  get #bulkRequestsMax(): number {
    return this.#isRateLimited ? 1 : bulkRequestsMax;
  }

  /** Creates one movement. @throws every error of `client.movements.create` */
  create(body: CreateMovementInput, idempotencyKey: string): Promise<Created> {
    const isAlone = this.#isDryRun || this.#hasBulk === false || this.#alone.has(idempotencyKey);
    if (isAlone) return this.#createAlone(body, idempotencyKey);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ body, idempotencyKey, resolve, reject });
      this.#schedule();
    });
  }

  async #createAlone(movement: CreateMovementInput, idempotencyKey: string): Promise<Created> {
    const body = this.#hasExternalIds ? movement : withoutExternalId(movement);
    const { movements } = this.#client;
    try {
      const { replayed, data } = await (this.#isDryRun
        ? movements.create(body, { idempotencyKey, dryRun: true }).withResponse()
        : movements.create(body, { idempotencyKey }).withResponse());
      return { replayed, id: data.id };
    } catch (error) {
      if (body.externalId === undefined) throw error;
      if (refusesExternalId(error)) this.#hasExternalIds = false;
      else if (!isKeyReusedError(error)) throw error;
      return this.#createAlone(withoutExternalId(body), idempotencyKey);
    }
  }

  /** Sends the waiting movements in the next turn of the event loop, so that movements added until then can share a request. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendWaiting();
    });
  }

  #sendWaiting(): void {
    for (const chunk of toChunks(this.#waiting)) {
      const isFull = chunk.length === bulkItemsMax || chunk.at(-1) !== this.#waiting.at(-1);
      if (this.#bulkRequests >= this.#bulkRequestsMax || (!isFull && this.#bulkRequests > 0)) return;
      this.#waiting.splice(0, chunk.length);
      this.#bulkRequests += 1;
      void this.#sendTogether(chunk).finally(() => {
        this.#bulkRequests -= 1;
        this.#schedule();
      });
    }
  }

  async #sendTogether(movements: readonly Waiting[]): Promise<void> {
    try {
      const items = movements.map(({ body, idempotencyKey }) => ({ ...body, idempotencyKey }));
      const results = await this.#client.movements.createMany(items, { mode: 'independent' });
      this.#hasBulk = true;
      movements.forEach((movement, index) => {
        const { status, movement: record, error } = results[index] ?? {};
        const id = record?.id ?? null;
        if (status === 'created' || status === 'replayed') movement.resolve({ replayed: status === 'replayed', id });
        else if (error?.code === 'IDEMPOTENCY_KEY_REUSED' && movement.body.externalId !== undefined) {
          this.#waiting.push({ ...movement, body: withoutExternalId(movement.body) });
        } else this.#settleAlone(movement);
      });
    } catch (error) {
      if (isMissingOperation(error)) this.#hasBulk = false;
      if (isRateLimitError(error)) this.#isRateLimited = true;
      for (const movement of movements) {
        if (isServerError(error)) this.#alone.add(movement.idempotencyKey);
        if (isMissingOperation(error) || isRowError(error) || (isServerError(error) && !isUnavailable(error))) {
          this.#settleAlone(movement);
        } else movement.reject(error);
      }
    }
  }

  #settleAlone({ body, idempotencyKey, resolve, reject }: Waiting): void {
    this.#createAlone(body, idempotencyKey).then(resolve, reject);
  }
}

function withoutExternalId(movement: CreateMovementInput): CreateMovementInput {
  return { ...movement, externalId: undefined };
}

/** Returns whether an error shows that the server does not know the field `externalId`. */
function refusesExternalId(error: unknown): boolean {
  return (
    isValidationError(error) && error.issues.some(({ path, code }) => path === 'externalId' && code === 'UNKNOWN_FIELD')
  );
}

/** Splits movements into groups that do not exceed the size limits of a shared request. */
function toChunks(movements: readonly Waiting[]): Waiting[][] {
  const chunks: Waiting[][] = [];
  let bytes = 0;
  for (const movement of movements) {
    // 24 bytes are enough for the name and the punctuation of the field `idempotencyKey`.
    const ownBytes = Buffer.byteLength(JSON.stringify(movement.body)) + movement.idempotencyKey.length + 24;
    const last = chunks.at(-1);
    bytes += ownBytes;
    if (last !== undefined && last.length < bulkItemsMax && bytes <= bulkBytesMax) last.push(movement);
    else {
      chunks.push([movement]);
      bytes = ownBytes;
    }
  }
  return chunks;
}
