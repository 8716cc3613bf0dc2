import type * as z from 'zod';
import type { CallContract } from './call-contract.js';

type LocationOf = (data: never, pathParameters: Readonly<Record<string, string>>) => string;

/** A call with its schemas. `null` means: takes no query, no body, or answers without a body. */
export interface RouteContract<
  Call extends CallContract = CallContract,
  Query extends z.ZodType | null = z.ZodType | null,
  Body extends z.ZodType | null = z.ZodType | null,
  Data extends z.ZodType | null = z.ZodType | null,
> {
  readonly call: Call;
  readonly query: Query;
  readonly body: Body;
  /** Whether a request without a body is as good as `{}`. */
  readonly bodyOptional: boolean;
  readonly data: Data;
  /** Whether `meta.pagination` is in the answer. */
  readonly paginated: boolean;
  /** Whether the record has a version, told as `ETag`. */
  readonly versioned: boolean;
  /** Where a created record is found, from the server's root: its own path, or its collection's where no GET serves it. */
  readonly location: LocationOf | null;
}

/** Declares a route once; the server mounts it, the SDK calls it, OpenAPI is printed from it, the tests enumerate it. */
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
    paginated: schemas.paginated ?? false,
    versioned: schemas.versioned ?? false,
    location: (schemas.location as LocationOf | undefined) ?? null,
  };
}
