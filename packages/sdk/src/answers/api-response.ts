import type { SuccessMeta } from '@centavo/contracts';

/** A success with everything that came with it. */
export interface ApiResponse<Data> {
  readonly data: Data;
  /** The envelope's `meta`; null where the answer has no body. */
  readonly meta: SuccessMeta | null;
  /** The server's id of this request, for support and logs. */
  readonly requestId: string | null;
  /** The record's version, to be given to `correct` as it is; null where the record has none. */
  readonly etag: string | null;
  /** Whether this is the stored answer of an earlier attempt with the same key. */
  readonly replayed: boolean;
  readonly status: number;
  readonly headers: Headers;
  /** The key that all attempts of this write carried; null for reads and for writes that take none. */
  readonly idempotencyKey: string | null;
}
