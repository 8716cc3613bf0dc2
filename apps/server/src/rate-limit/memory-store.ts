import {
  type Bucket,
  consumeToken,
  type PolicyName,
  peekToken,
  type TokenResult,
  type TokenStore,
} from './token-bucket.js';

/**
 * Stores buckets in the memory of this process: for a single server, and while Redis is unavailable. Full buckets are deleted,
 * because a bucket that is not stored counts as full. Each policy has one table for authenticated callers and one for IP addresses, so that
 * requests from many addresses cannot evict the bucket of an authenticated caller.
 */
export class MemoryStore implements TokenStore {
  readonly #nowMicros: () => number;
  readonly #bucketsMax: number;
  /** For each table and owner, the time at which the bucket will be full. In each table, the least recently used bucket is first. */
  readonly #fullAtMicros = new Map<TableName, Map<string, number>>();

  /**
   * @param options.nowMicros whole microseconds of a monotonic clock
   * @param options.bucketsMax buckets per table; beyond that, the least recently used bucket is deleted and so counts as full
   */
  constructor(options: { readonly nowMicros: () => number; readonly bucketsMax: number }) {
    this.#nowMicros = options.nowMicros;
    this.#bucketsMax = options.bucketsMax;
  }

  async consume(bucket: Bucket): Promise<TokenResult> {
    const result = consumeToken(this.#bucketState(bucket));
    this.#store(bucket, result.fullAtMicros);
    return { isAllowed: result.isAllowed, microsUntilFull: result.microsUntilFull };
  }

  async peek(bucket: Bucket): Promise<TokenResult> {
    return peekToken(this.#bucketState(bucket));
  }

  /**
   * Sets the state of a bucket to the state in the shared store (Redis).
   * @param microsUntilFull microseconds until the bucket is full
   */
  setMicrosUntilFull(bucket: Bucket, microsUntilFull: number): void {
    this.#store(bucket, this.#nowMicros() + microsUntilFull);
  }

  /** Returns the number of stored buckets of authenticated callers for a policy. */
  countBuckets(policy: PolicyName): number {
    return this.#fullAtMicros.get(`${policy} principal`)?.size ?? 0;
  }

  #bucketState(bucket: Bucket) {
    const { rateLimit, tokens, owner } = bucket;
    const fullAtMicros = this.#fullAtMicros.get(tableOf(bucket))?.get(owner) ?? null;
    return { fullAtMicros, nowMicros: this.#nowMicros(), rateLimit, tokens };
  }

  #store(bucket: Bucket, fullAtMicros: number): void {
    const { owner } = bucket;
    const table = this.#fullAtMicros.get(tableOf(bucket)) ?? new Map<string, number>();
    this.#fullAtMicros.set(tableOf(bucket), table);
    // A Map keeps the order of insertion. Deleting this bucket and inserting it again makes it the last one, the most recently used.
    table.delete(owner);
    this.#evict(table);
    table.set(owner, fullAtMicros);
  }

  /**
   * On each insertion, checks only the two least recently used buckets, so that no request scans the table. Deletes each of the two that
   * is full again. Because up to two buckets are deleted for each new one, the table can shrink. If the table already contains
   * `bucketsMax` buckets, deletes the least recently used bucket even if it is not full.
   */
  #evict(table: Map<string, number>): void {
    const nowMicros = this.#nowMicros();
    let visited = 0;
    for (const [owner, fullAtMicros] of table) {
      visited += 1;
      if (visited > 2) return;
      if (fullAtMicros <= nowMicros || table.size >= this.#bucketsMax) table.delete(owner);
    }
  }
}

type TableName = `${PolicyName} ${Bucket['ownerKind']}`;

function tableOf({ rateLimit, ownerKind }: Bucket): TableName {
  return `${rateLimit.policy} ${ownerKind}`;
}
