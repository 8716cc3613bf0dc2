import type { CallContract } from '@centavo/contracts/calls';
import type { ApiResponse } from '../answers/api-response.js';
import type { CallOptions, PreviewOptions } from '../call-options.js';

/** Query parameters. Undefined values are omitted, and lists are joined with commas. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The part of an operation's contract that the client needs. */
export type CallShape = Pick<CallContract, 'name' | 'method' | 'base' | 'path' | 'caller' | 'tracker' | 'idempotency'>;

/** One call, with one body and one idempotency key for all its attempts. */
export interface CallRequest {
  readonly call: CallShape;
  readonly pathParameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** True if each item of the body has an idempotency key. The request itself then has no idempotency key. */
  readonly hasItemKeys?: boolean | undefined;
  /**
   * The suffix of the idempotency key in this request, if a method of the client splits its input into several requests. The SDK's
   * responses and errors contain the key without this suffix, because the caller needs that key to repeat the whole method call.
   */
  readonly keySuffix?: string | undefined;
  /** The value of the header `If-Match`. */
  readonly etag?: string | undefined;
  readonly options?: (CallOptions & Partial<PreviewOptions>) | undefined;
}

/** Makes a call and returns its response. The resource classes of the client send requests only through this function. */
export type Send = <Data>(request: CallRequest) => Promise<ApiResponse<Data>>;
