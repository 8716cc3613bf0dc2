import type { Pagination, PathParameter, RouteContract } from '@centavo/contracts';
import type * as z from 'zod';
import type { AnonymousLimits, SessionClaims } from '../access/identity-provider.js';
import type { EffectiveTracker, Principal } from '../access/principal.js';
import type { ContextValue } from '../database/context-value.js';
import type { Transaction, Transactions } from '../database/database.js';
import type { Effect } from '../writes/record-write.queries.js';
import type { WrittenJson } from './written-json.js';

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Call<Route extends RouteContract> = Route['call'];

/** The tracker that a handler may count on, as its route declares. */
type TrackerOf<Route extends RouteContract> = Call<Route>['tracker'] extends 'required' | 'path'
  ? EffectiveTracker
  : EffectiveTracker | null;

/** What a handler is given: a caller with the right, a request its route accepts, and the open transaction. */
export interface EndpointRequest<Route extends RouteContract = RouteContract> {
  readonly tx: Transaction;
  readonly pathParameters: Readonly<Record<PathParameter<Call<Route>['path']>, string>>;
  readonly query: Output<Route['query']>;
  readonly body: Output<Route['body']>;
  /** Strong entity tags of If-Match; empty where the route takes none. */
  readonly ifMatch: readonly string[];
  readonly principal: Principal;
  readonly tracker: TrackerOf<Route>;
  /** Every tracker that the principal may use now. */
  readonly eligibleTrackerIds: readonly string[];
  readonly requestId: string;
  /** When a user last gave a one-time code; seconds since 1970, or null. */
  readonly totpAtSeconds: number | null;
  readonly newId: () => string;
}

/** What an endpoint's load is given: a valid request, and the caller's user and tracker, perhaps as values of the context. */
export interface LoadRequest<Route extends RouteContract = RouteContract>
  extends Pick<EndpointRequest<Route>, 'tx' | 'pathParameters' | 'query' | 'body'> {
  readonly userId: string | ContextValue;
  readonly trackerId: string | ContextValue;
}

/** What a handler answers; status, envelope and headers follow from the route. */
export interface Outcome<Data = unknown> {
  readonly data: Data | WrittenJson<Data>;
  readonly etag?: string;
  readonly pagination?: Pagination;
  /** For `meta.trackerId` where it differs from the tracker of the request. */
  readonly trackerId?: string | null;
  /** What to audit; a write that changed nothing has none. */
  readonly effect?: Effect;
}

type DataOf<Route extends RouteContract> = Route['data'] extends z.ZodType ? z.output<Route['data']> : null;

/** What a detached handler is given: it opens its own transactions, because some of what it records must outlive a refusal. */
export interface DetachedRequest<Route extends RouteContract = RouteContract> {
  readonly body: Output<Route['body']>;
  /** Null where anyone may call. */
  readonly principal: Principal | null;
  readonly claims: SessionClaims | null;
  /** Null where the caller is known. */
  readonly anonymousLimits: AnonymousLimits | null;
  /** Where it opens them, for as long as somebody waits for the answer. */
  readonly database: Transactions;
  readonly requestId: string;
}

/** A route with the handler that serves it, inside the request's transaction or detached from it. */
export type Endpoint =
  | {
      readonly kind: 'transactional';
      readonly route: RouteContract;
      /** Rights that depend on the body; asked before a stored answer is replayed. */
      readonly authorize: ((request: EndpointRequest) => void) | undefined;
      /** Its first statement, which must change nothing: it may be sent before the caller is authorized. */
      readonly load: ((request: LoadRequest) => Promise<unknown>) | undefined;
      readonly handle: (request: EndpointRequest, loaded: unknown) => Promise<Outcome>;
    }
  | {
      readonly kind: 'detached';
      readonly route: RouteContract;
      readonly handle: (request: DetachedRequest) => Promise<Outcome>;
    };

/** A route that this server does not serve as it is configured; its path is answered as if there were no such one. */
export interface AbsentEndpoint {
  readonly kind: 'absent';
  readonly route: RouteContract;
}

/** Ties a handler to its route; the types of request and answer are the contract's. */
export function endpoint<Route extends RouteContract>(
  route: Route,
  handle: (request: EndpointRequest<Route>) => Promise<Outcome<DataOf<Route>>>,
  authorize?: (request: EndpointRequest<Route>) => void,
): Endpoint {
  return { kind: 'transactional', route, handle, authorize, load: undefined } as unknown as Endpoint;
}

/**
 * Ties a handler to its route that always begins with the same read, `load`. The two are separate so that the load can be
 * sent in the same batch as the statement that authenticates.
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

/** Ties a handler that opens its own transactions to its route. */
export function detachedEndpoint<Route extends RouteContract>(
  route: Route,
  handle: (request: DetachedRequest<Route>) => Promise<Outcome<DataOf<Route>>>,
): Endpoint {
  return { kind: 'detached', route, handle: handle as unknown as (request: DetachedRequest) => Promise<Outcome> };
}

/** Says of a route that nothing serves it, which is not the same as forgetting it. */
export function absentEndpoint(route: RouteContract): AbsentEndpoint {
  return { kind: 'absent', route };
}
