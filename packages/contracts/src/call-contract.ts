import type { ErrorCode } from './error-codes.js';
import type { Role, Scope } from './scopes.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The nine resources of the API, and `identity` for the embedded identity provider. */
export type ApiResource =
  | 'context'
  | 'accounts'
  | 'categories'
  | 'movements'
  | 'transfers'
  | 'budgets'
  | 'events'
  | 'webhooks'
  | 'credentials'
  | 'identity';

/** The path prefixes of the API and of the embedded identity provider, and the empty prefix for paths at the server's root. */
export type CallBase = '/v1/financial' | '/v1/identity' | '';

/**
 * One operation of the API. Clients use this data to send requests, and servers use it to authorize requests. `route()` adds the schemas:
 * they are separate, so that the SDK does not load zod.
 */
export interface CallContract {
  /** The unique name of the operation, such as `createMovement`. */
  readonly name: string;
  readonly resource: ApiResource;
  readonly method: HttpMethod;
  readonly base: CallBase;
  /** The path below `base`, with parameters in braces: `/movements/{movementId}`. */
  readonly path: string;
  /**
   * `anyone`: no credential is required. `user`: a user session is required. `principal`: a user session, or the secret of an API key
   * or integration client, is required.
   */
  readonly caller: 'anyone' | 'user' | 'principal';
  /**
   * The caller needs one of these scopes. The caller's role in the tracker must be at least the role that `roleOfScope` lists for that
   * scope. Empty if no scope is required.
   */
  readonly scopes: readonly Scope[];
  /**
   * `required`: the server determines a tracker, for example from the header `X-Service-Tracker-Id`. The operation acts in this tracker,
   * and fails if there is none. `optional`: if the server can determine a tracker in the same way, it returns the id of this tracker in
   * `meta.trackerId`. `path`: the operation acts in the tracker that its path names. `none`: the operation acts in no tracker.
   */
  readonly tracker: 'required' | 'optional' | 'path' | 'none';
  /**
   * The lowest role that the caller must have in the tracker, or null. Only some management operations (docs/contract.md, section 9) have
   * such a role. For operations with scopes, `roleOfScope` lists the required role instead.
   */
  readonly role: Role | null;
  /**
   * How the server treats the header Idempotency-Key: it requires, accepts or ignores the header. `by_mode`: the server requires the
   * header in a bulk request of mode `atomic`. In mode `independent`, each item must have its own key, and the server rejects the header.
   */
  readonly idempotency: 'required' | 'accepted' | 'by_mode' | 'ignored';
  readonly ifMatch: 'required' | 'ignored';
  /**
   * True if the server checks two conditions for a caller with a user session: the session is active, and the user has verified a one-time
   * code recently. For a caller with the secret of an API key or integration client, the server checks neither condition.
   */
  readonly stepUp: boolean;
  /**
   * True if the operation assigns sequence numbers to those events of its tracker that do not have one yet. Even if it is a GET, such
   * an operation runs on the primary, in a read-write transaction.
   * @source docs/additions.md, section 0.4
   */
  readonly numbersEvents: boolean;
  /** The status of a successful response. Replays, dry runs and bulk writes in mode `independent` have status 200 instead. */
  readonly status: 200 | 201 | 204;
  /** The error codes that do not follow from the fields above. `errorCodesOf` adds the codes that follow from them. */
  readonly errors: readonly ErrorCode[];
}

type CallDeclaration = Partial<CallContract> & Pick<CallContract, 'name' | 'resource' | 'method' | 'path'>;

/**
 * A contract whose name, method, path and tracker have the literal types of its declaration, such as `'GET'` instead of `HttpMethod`.
 * The server derives the types of a handler from these types.
 */
type Declared<Declaration extends CallDeclaration> = CallContract & {
  readonly name: Declaration['name'];
  readonly method: Declaration['method'];
  readonly path: Declaration['path'];
  readonly tracker: Declaration extends { readonly tracker: infer Tracker extends CallContract['tracker'] }
    ? Tracker
    : 'required';
};

/** Returns the contract of an operation. An omitted field gets the value that most operations have. */
export function call<const Declaration extends CallDeclaration>(declaration: Declaration): Declared<Declaration> {
  const contract: CallContract = {
    base: '/v1/financial',
    caller: 'principal',
    scopes: [],
    tracker: 'required',
    role: null,
    idempotency: 'ignored',
    ifMatch: 'ignored',
    stepUp: false,
    numbersEvents: false,
    status: 200,
    errors: [],
    ...declaration,
  };
  return contract as Declared<Declaration>;
}

/** The names of the parameters in a path template, as a union of string literals. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/**
 * Returns the error codes of an operation: the codes in `errors`, and the codes that follow from its other fields. Omits
 * METHOD_NOT_ALLOWED, REQUEST_TIMEOUT and REQUEST_HEADERS_TOO_LARGE, which the server may return for every path.
 */
export function errorCodesOf(call: CallContract): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    // Even an operation that accepts no body may return PAYLOAD_TOO_LARGE: the server reads the request's body before it checks
    // whether the operation accepts one.
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ]);
  if (call.caller !== 'anyone') {
    for (const code of ['UNAUTHENTICATED', 'CREDENTIAL_INVALID', 'CREDENTIAL_EXPIRED', 'SESSION_INACTIVE'] as const) {
      codes.add(code);
    }
    if (call.base === '/v1/financial') codes.add('CREDENTIAL_REVOKED');
  }
  if (call.caller === 'user') codes.add('USER_SESSION_REQUIRED');
  if (call.stepUp) codes.add('STEP_UP_REQUIRED');
  if (call.tracker !== 'none') codes.add('TRACKER_FORBIDDEN');
  if (call.scopes.length > 0) codes.add('INSUFFICIENT_SCOPE').add('INSUFFICIENT_ROLE');
  if (call.role !== null) codes.add('INSUFFICIENT_ROLE');
  if (call.path.includes('{')) codes.add('NOT_FOUND');
  if (call.method !== 'GET' && call.method !== 'DELETE') codes.add('UNSUPPORTED_MEDIA_TYPE');
  if (call.idempotency !== 'ignored') codes.add('IDEMPOTENCY_KEY_REUSED').add('IDEMPOTENCY_IN_PROGRESS');
  if (call.ifMatch === 'required') codes.add('VERSION_CONFLICT');
  for (const code of call.errors) codes.add(code);
  return [...codes];
}

/**
 * Returns whether a replica may serve an operation. A replica may serve a read of a tracker, unless the read assigns numbers to
 * events. The request header `Centavo-Read-After` contains the log position that the replica must have reached.
 */
export function takesReadAfter({
  method,
  tracker,
  numbersEvents = false,
}: Pick<CallContract, 'method' | 'tracker'> & Partial<Pick<CallContract, 'numbersEvents'>>): boolean {
  return method === 'GET' && (tracker === 'required' || tracker === 'path') && !numbersEvents;
}

/**
 * Returns whether the response to a successful write may have the header `Centavo-Read-After`: the log position that a replica
 * must reach to include the write. Writes of the embedded identity provider are excluded, because no read of a tracker shows them.
 */
export function returnsReadAfter({ method, base }: Pick<CallContract, 'method' | 'base'>): boolean {
  return method !== 'GET' && base === '/v1/financial';
}

/** Returns the path of an operation below the server's root, with its parameters percent-encoded. */
export function pathOf<Path extends string>(
  call: { readonly base: CallBase; readonly path: Path },
  parameters: Readonly<Record<PathParameter<Path>, string>>,
): string {
  const values = parameters as Readonly<Record<string, string>>;
  return call.base + call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
