import type * as z from 'zod';
import type { CallContract } from './call-contract.js';

type LocationOf = (data: never, pathParameters: Readonly<Record<string, string>>) => string;

/**
 * The functions of an operation whose request body contains a list of items. The server calls two of these functions even if the body is
 * invalid:
 * - `countItems`, because the rate limit also counts the items of rejected requests
 * - `hasItemKeys`, because issues of the header `Idempotency-Key` are reported together with the issues of the body. The header is
 *   rejected if the items must have their own keys. If not, it is required, except in a dry run.
 */
export interface BulkContract {
  /** Returns the number of items in a parsed but not validated body, or 0 if the body has no items or too many. */
  readonly countItems: (body: unknown) => number;
  /** Returns whether each item of a parsed but not validated body must have its own idempotency key. */
  readonly hasItemKeys: (body: unknown) => boolean;
  /** Returns the idempotency keys of the items in a valid body; an empty list if one key in the header applies to the whole request. */
  readonly itemKeysOf: (body: unknown) => readonly string[];
  /** The schema of `data` in a response with status 201. If each item has its own idempotency key, the server never returns 201. */
  readonly createdData: z.ZodType;
}

/** An operation with its schemas. `null` means no query, no request body, or no response body. */
export interface RouteContract<
  Call extends CallContract = CallContract,
  Query extends z.ZodType | null = z.ZodType | null,
  Body extends z.ZodType | null = z.ZodType | null,
  Data extends z.ZodType | null = z.ZodType | null,
> {
  readonly call: Call;
  readonly query: Query;
  readonly body: Body;
  /** True if a request may omit the body. An omitted body means `{}`. */
  readonly bodyOptional: boolean;
  readonly data: Data;
  /**
   * True if the operation accepts `?dryRun=true`: the server runs the operation, and PostgreSQL rolls it back. All POST and
   * PATCH operations under `/v1/financial` accept it, except for those on credentials and webhooks.
   * @source docs/additions.md, section 1.1
   */
  readonly dryRun: boolean;
  /** True if the response has `meta.pagination`. */
  readonly paginated: boolean;
  /** True if the response has `meta.summary`. */
  readonly summarized: boolean;
  /** True if the response has `meta.feed`. */
  readonly feed: boolean;
  /** The functions for the items of the body; null if the body has no items. If it has items, the response has `meta.bulk`. */
  readonly bulk: BulkContract | null;
  /** True if the record has a version, which the server returns as `ETag`. */
  readonly versioned: boolean;
  /**
   * Returns the path of a created record, relative to the server's root. If no GET operation returns the record, or if the request may
   * create several records, returns the path of the collection. For a budget line, returns the path of its budget. The function is null
   * if the response has no header `Location`.
   */
  readonly location: LocationOf | null;
}

/**
 * Returns the contract of a route: an operation with its schemas. The server, the OpenAPI document and the tests use these contracts.
 * The SDK uses the operations without the schemas.
 */
export function route<
  Call extends CallContract,
  Query extends z.ZodType | null = null,
  Body extends z.ZodType | null = null,
  Data extends z.ZodType | null = null,
>(
  call: Call,
  schemas: {
    query?: Query;
    body?: Body;
    data?: Data;
    bodyOptional?: boolean;
    paginated?: boolean;
    summarized?: boolean;
    feed?: boolean;
    bulk?: BulkContract;
    versioned?: boolean;
    location?: (
      data: Data extends z.ZodType ? z.output<Data> : never,
      pathParameters: Readonly<Record<string, string>>,
    ) => string;
  },
): RouteContract<Call, Query, Body, Data> {
  return {
    call,
    query: (schemas.query ?? null) as Query,
    body: (schemas.body ?? null) as Body,
    bodyOptional: schemas.bodyOptional ?? false,
    data: (schemas.data ?? null) as Data,
    dryRun: acceptsDryRun(call),
    paginated: schemas.paginated ?? false,
    summarized: schemas.summarized ?? false,
    feed: schemas.feed ?? false,
    bulk: schemas.bulk ?? null,
    versioned: schemas.versioned ?? false,
    location: (schemas.location as LocationOf | undefined) ?? null,
  };
}

function acceptsDryRun({ method, resource, base }: CallContract): boolean {
  return (
    (method === 'POST' || method === 'PATCH') &&
    base === '/v1/financial' &&
    resource !== 'credentials' &&
    resource !== 'webhooks'
  );
}
