import type { SuccessMeta } from '@centavo/contracts';

/** A successful response with its data and metadata. */
export interface ApiResponse<Data> {
  readonly data: Data;
  /** The `meta` of the envelope; null if the response has no envelope. */
  readonly meta: SuccessMeta | null;
  /** The server's id of this request, for support and logs; null if the response does not contain it. */
  readonly requestId: string | null;
  /** The ETag of the record, for a call of `correct` or `void`; null if the response has no ETag, for example a list. */
  readonly etag: string | null;
  /** True if the response is a replay: the server stored it for an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  readonly status: number;
  readonly headers: Headers;
  /** The idempotency key of all attempts of this write; null for reads and for writes without a key. */
  readonly idempotencyKey: string | null;
}
