import type { Bucket, Buckets, PolicyName, Spent } from './rate-limit.js';
import { spendToken } from './spend-token.js';

/**
 * Buckets in the memory of this process, for a server that is alone and for one that has lost sight of the others. Full
 * buckets are forgotten, for one that was never touched is full too. Each policy has a table of its own, so that a flood
 * of failing addresses pushes out no caller's bucket.
 */
export class LocalBuckets implements Buckets {
  readonly #nowMicros: () => number;
  readonly #bucketsMax: number;
  /** By policy and owner, when a bucket will be full; the one that was touched longest ago comes first. */
  readonly #fullAtMicros = new Map<PolicyName, Map<string, number>>();

  /**
   * @param options.nowMicros whole microseconds of a clock that nobody sets
   * @param options.bucketsMax how many buckets a policy keeps; beyond, the one touched longest ago is taken for full
   */
  constructor(options: { readonly nowMicros: () => number; readonly bucketsMax: number }) {
    this.#nowMicros = options.nowMicros;
    this.#bucketsMax = options.bucketsMax;
  }

  async spend(bucket: Bucket): Promise<Spent> {
    const { rateLimit, owner } = bucket;
    const nowMicros = this.#nowMicros();
    const fullAtMicros = this.#fullAtMicros.get(rateLimit.policy)?.get(owner) ?? null;
    const spent = spendToken({ fullAtMicros, nowMicros, rateLimit });
    this.#keep(bucket, spent.fullAtMicros);
    return { isAllowed: spent.isAllowed, debtMicros: spent.debtMicros };
  }

  /** Takes over how full a bucket is elsewhere, to go on from there. */
  adopt(bucket: Bucket, debtMicros: number): void {
    this.#keep(bucket, this.#nowMicros() + debtMicros);
  }

  /** How many buckets a policy keeps at this moment. */
  countBuckets(policy: PolicyName): number {
    return this.#fullAtMicros.get(policy)?.size ?? 0;
  }

  #keep({ rateLimit, owner }: Bucket, fullAtMicros: number): void {
    const table = this.#fullAtMicros.get(rateLimit.policy) ?? new Map<string, number>();
    this.#fullAtMicros.set(rateLimit.policy, table);
    // A map gives its keys in the order of insertion: taken out and put back, this one comes last.
    table.delete(owner);
    this.#forget(table);
    table.set(owner, fullAtMicros);
  }

  /** Looks at the two oldest each time one is kept, so the table shrinks faster than it grows and no request pays for all. */
  #forget(table: Map<string, number>): void {
    const nowMicros = this.#nowMicros();
    let looks = 0;
    for (const [owner, fullAtMicros] of table) {
      looks += 1;
      if (looks > 2) return;
      if (fullAtMicros <= nowMicros || table.size >= this.#bucketsMax) table.delete(owner);
    }
  }
}
