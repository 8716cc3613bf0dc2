import {
  type Bucket,
  consumeToken,
  type PolicyName,
  peekToken,
  type TokenResult,
  type TokenStore,
} from './token-bucket.js';

/**
 * TokenStore in the memory of this process, for a server that is alone and for one that has lost sight of the others. Full
 * buckets are forgotten, for one that was never touched is full too. Each policy has a table for callers and one for
 * addresses, so that a flood of addresses pushes out no caller's bucket.
 */
export class MemoryStore implements TokenStore {
  readonly #nowMicros: () => number;
  readonly #bucketsMax: number;
  /** By table and owner, when a bucket will be full; the one that was touched longest ago comes first. */
  readonly #fullAtMicros = new Map<TableName, Map<string, number>>();

  /**
   * @param options.nowMicros whole microseconds of a clock that nobody sets
   * @param options.bucketsMax how many buckets a table keeps; beyond, the one touched longest ago is taken for full
   */
  constructor(options: { readonly nowMicros: () => number; readonly bucketsMax: number }) {
    this.#nowMicros = options.nowMicros;
    this.#bucketsMax = options.bucketsMax;
  }

  async consume(bucket: Bucket): Promise<TokenResult> {
    const result = consumeToken(this.#bucketState(bucket));
    this.#store(bucket, result.fullAtMicros);
    return { isAllowed: result.isAllowed, debtMicros: result.debtMicros };
  }

  async peek(bucket: Bucket): Promise<TokenResult> {
    return peekToken(this.#bucketState(bucket));
  }

  /** Takes over how full a bucket is elsewhere, to go on from there. */
  adopt(bucket: Bucket, debtMicros: number): void {
    this.#store(bucket, this.#nowMicros() + debtMicros);
  }

  /** How many buckets of callers a policy keeps at this moment. */
  countBuckets(policy: PolicyName): number {
    return this.#fullAtMicros.get(`${policy} principal`)?.size ?? 0;
  }

  #bucketState(bucket: Bucket) {
    const { rateLimit, owner } = bucket;
    const fullAtMicros = this.#fullAtMicros.get(tableOf(bucket))?.get(owner) ?? null;
    return { fullAtMicros, nowMicros: this.#nowMicros(), rateLimit };
  }

  #store(bucket: Bucket, fullAtMicros: number): void {
    const { owner } = bucket;
    const table = this.#fullAtMicros.get(tableOf(bucket)) ?? new Map<string, number>();
    this.#fullAtMicros.set(tableOf(bucket), table);
    // A map gives its keys in the order of insertion: taken out and put back, this one comes last.
    table.delete(owner);
    this.#evict(table);
    table.set(owner, fullAtMicros);
  }

  /** Looks at the two oldest each time one is kept, so the table shrinks faster than it grows and no request pays for all. */
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
