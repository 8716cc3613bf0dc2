import type { BulkMeta, FeedMeta, Pagination, PathParameter, RouteContract, SummaryMeta } from '@centavo/contracts';
import type * as z from 'zod';
import type { AnonymousLimits, EffectiveTracker, Principal, SessionClaims } from '../auth/principal.js';
import type { Transactions } from '../database/pool.js';
import type { ContextValue } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { Effect } from '../idempotency/audit.queries.js';
import type { ItemRecords } from '../idempotency/items.queries.js';
import type { WrittenJson } from '../optimizations/written-json.js';

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Call<Route extends RouteContract> = Route['call'];

/** The tracker of a request; never null if the route requires one. */
type TrackerOf<Route extends RouteContract> = Call<Route>['tracker'] extends 'required' | 'path'
  ? EffectiveTracker
  : EffectiveTracker | null;

/** The input of a handler: an authorized caller, a valid request, and the open transaction. */
export interface EndpointRequest<Route extends RouteContract = RouteContract> {
  readonly tx: Transaction;
  readonly pathParameters: Readonly<Record<PathParameter<Call<Route>['path']>, string>>;
  readonly query: Output<Route['query']>;
  readonly body: Output<Route['body']>;
  /** Strong entity tags of If-Match; empty if the route does not use this header. */
  readonly ifMatch: readonly string[];
  readonly principal: Principal;
  readonly tracker: TrackerOf<Route>;
  /** The ids of all trackers that the principal may use now. */
  readonly eligibleTrackerIds: readonly string[];
  readonly requestId: string;
  /**
   * Assigns sequence numbers to at most `max` unnumbered events of the tracker, and returns how many events it numbered. The call queues
   * its SQL statement synchronously, so statements that are queued after the call see the new numbers. In a distributed database the
   * function does nothing and returns 0, because the events were numbered before the transaction.
   */
  readonly numberEvents: (max?: number) => Promise<number>;
  /** True if Citus distributes the tables. An INSERT … SELECT whose rows come from the request then fails (decision 0046). */
  readonly isSharded: boolean;
  /**
   * True if there is still time to wait for a concurrent duplicate of the request. To wait, the handler throws DuplicateInProgress. The
   * transaction is then retried after a pause.
   */
  readonly mayWaitForDuplicate: boolean;
  /**
   * The time at which the user of the session last entered a one-time code, in seconds since 1970. Null if the user entered no code, or
   * if the credential, such as an API key, belongs to no session.
   */
  readonly totpAtSeconds: number | null;
  readonly newId: () => string;
}

/**
 * The input of `load`, the function that sends the first statements of an endpoint: a valid request, and the ids of the caller's user and
 * tracker. If `load` is called before the caller is authenticated (prefetch), the two ids are SQL expressions that read the transaction's
 * context.
 */
export interface LoadRequest<Route extends RouteContract = RouteContract>
  extends Pick<EndpointRequest<Route>, 'tx' | 'pathParameters' | 'query' | 'body' | 'numberEvents'> {
  readonly userId: string | ContextValue;
  readonly trackerId: string | ContextValue;
}

/** A wait for events of a tracker. */
export interface EventWait {
  readonly trackerId: string;
  /** The highest event number of the tracker when the request read the events. */
  readonly headSequence: number;
  /** The longest time that the client wants to wait, in milliseconds, counted from the start of the request's first read. */
  readonly msMax: number;
}

/** The result of a handler. The route determines status, envelope and headers. */
export interface Outcome<Data = unknown> {
  readonly data: Data | WrittenJson<Data>;
  readonly etag?: string;
  readonly pagination?: Pagination;
  readonly summary?: SummaryMeta;
  readonly bulk?: BulkMeta;
  readonly feed?: FeedMeta;
  /** Set if there are no events to return yet. The request may then wait for events of the tracker before it is handled again. */
  readonly wait?: EventWait;
  /** Status 200 instead of 201 for a bulk write of mode `independent`, because each item has its own status. */
  readonly status?: 200;
  /** True if the record is new although the route does not respond with 201. A dry run then returns `createdAt` as null. */
  readonly isNew?: true;
  /** The value of `meta.trackerId`. If absent, the response contains the id of the request's tracker. */
  readonly trackerId?: string | null;
  /** The event that the write records; absent if the write changed nothing. */
  readonly effect?: Effect;
  /** The events of the other records that the write creates, such as the cashboxes of a new account. */
  readonly furtherEffects?: readonly Effect[];
  /** Set by a bulk write instead of `effect`: the effects and responses of its items. */
  readonly items?: ItemRecords;
}

type DataOf<Route extends RouteContract> = Route['data'] extends z.ZodType ? z.output<Route['data']> : null;

/**
 * The input of a detached handler. The handler opens its own transactions, because some of its writes must stay committed even if it
 * refuses the request.
 */
export interface DetachedRequest<Route extends RouteContract = RouteContract> {
  readonly body: Output<Route['body']>;
  /** Null if the operation needs no credential. */
  readonly principal: Principal | null;
  readonly claims: SessionClaims | null;
  /** Null if the operation needs a credential. */
  readonly anonymousLimits: AnonymousLimits | null;
  /** Runs the transactions of the handler, within the time that a request may wait for the database. */
  readonly database: Transactions;
  readonly requestId: string;
}

/** A route with a handler that runs inside the request's transaction. */
export interface TransactionalEndpoint {
  readonly kind: 'transactional';
  readonly route: RouteContract;
  /** Checks rights that depend on the body, before a stored response is replayed. */
  readonly authorize: ((request: EndpointRequest) => void) | undefined;
  /**
   * Sends the first statements. They must change nothing that a caller could see, because they may be sent before the caller is
   * authorized.
   */
  readonly load: ((request: LoadRequest) => Promise<unknown>) | undefined;
  readonly handle: (request: EndpointRequest, loaded: unknown) => Promise<Outcome>;
}

/** A route with a handler that opens its own transactions. */
export interface DetachedEndpoint {
  readonly kind: 'detached';
  readonly route: RouteContract;
  readonly handle: (request: DetachedRequest) => Promise<Outcome>;
}

export type Endpoint = TransactionalEndpoint | DetachedEndpoint;

/** A route that this server's configuration switches off. It returns 404, like an unknown path. */
export interface AbsentEndpoint {
  readonly kind: 'absent';
  readonly route: RouteContract;
}

/**
 * Returns an endpoint: a route with its handler. The contract defines the types of request and response.
 * @param authorize checks rights that depend on the body
 */
export function endpoint<Route extends RouteContract>(
  route: Route,
  handle: (request: EndpointRequest<Route>) => Promise<Outcome<DataOf<Route>>>,
  authorize?: (request: EndpointRequest<Route>) => void,
): Endpoint {
  return { kind: 'transactional', route, handle, authorize, load: undefined } as unknown as Endpoint;
}

/**
 * Returns an endpoint whose first statements (`load`) are sent before its handler runs. These statements only read data, or assign
 * sequence numbers to events. `load` is a separate function, so that its statements can be sent in the same batch as the authenticating
 * statement.
 */
export function loadingEndpoint<Route extends RouteContract, Loaded>(
  route: Route,
  {
    load,
    handle,
  }: {
    readonly load: (request: LoadRequest<Route>) => Promise<Loaded>;
    readonly handle: (request: EndpointRequest<Route>, loaded: Loaded) => Promise<Outcome<DataOf<Route>>>;
  },
): Endpoint {
  return { kind: 'transactional', route, load, handle, authorize: undefined } as unknown as Endpoint;
}

/** Returns an endpoint whose handler opens its own transactions. */
export function detachedEndpoint<Route extends RouteContract>(
  route: Route,
  handle: (request: DetachedRequest<Route>) => Promise<Outcome<DataOf<Route>>>,
): Endpoint {
  return { kind: 'detached', route, handle: handle as unknown as (request: DetachedRequest) => Promise<Outcome> };
}

/**
 * Declares that this server has no handler for a route. The server does not start if a route has neither a handler nor this declaration.
 */
export function absentEndpoint(route: RouteContract): AbsentEndpoint {
  return { kind: 'absent', route };
}
