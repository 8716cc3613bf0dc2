import type { ErrorCode } from './error-codes.js';
import type { Role, Scope } from './scopes.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The seven nouns of the product, and `identity`, which is the embedded provider's alone. */
export type Noun =
  | 'context'
  | 'accounts'
  | 'categories'
  | 'movements'
  | 'transfers'
  | 'budgets'
  | 'credentials'
  | 'identity';

/** Path prefixes: the API, the embedded identity provider, and the root of the server. */
export type CallBase = '/v1/financial' | '/v1/identity' | '';

/**
 * One call of the API without its schemas: what a client needs to make it and a server to guard it.
 * It is free of zod, so that the SDK's runtime stays small; `route()` adds the schemas.
 */
export interface CallContract {
  /** The operation's name, unique over the whole table, e.g. `createMovement`. */
  readonly name: string;
  readonly noun: Noun;
  readonly method: HttpMethod;
  readonly base: CallBase;
  /** Below `base`, with parameters in braces: `/movements/{movementId}`. */
  readonly path: string;
  /** `anyone` needs no credential, `user` a user session, `principal` a user session or a secret. */
  readonly caller: 'anyone' | 'user' | 'principal';
  /** Any one of these lets a principal in; the owner's role is asked as well. Empty: no scope is asked. */
  readonly scopes: readonly Scope[];
  /**
   * `required`: the call acts in a tracker; `optional`: it resolves one if it can, for `meta.trackerId`;
   * `path`: it acts in the tracker that its path names; `none`: no tracker exists for it.
   */
  readonly tracker: 'required' | 'optional' | 'path' | 'none';
  /** The least role in the tracker that a management call asks for; scopes bring their own. */
  readonly role: Role | null;
  /** Whether the server honours an Idempotency-Key here, and whether it insists on one. */
  readonly idempotency: 'required' | 'accepted' | 'ignored';
  readonly ifMatch: 'required' | 'ignored';
  /** Whether the call asks for a recent TOTP and an active session. */
  readonly stepUp: boolean;
  /** Status of a first success; a replay is always 200. */
  readonly status: 200 | 201 | 204;
  /** Codes beyond those that follow from the fields above; `errorCodesOf` gives all. */
  readonly errors: readonly ErrorCode[];
}

type CallDeclaration = Partial<CallContract> & Pick<CallContract, 'name' | 'noun' | 'method' | 'path'>;

/** What is declared, as literally as it was written, so that a handler's types follow from its call. */
type Declared<Declaration extends CallDeclaration> = CallContract & {
  readonly name: Declaration['name'];
  readonly method: Declaration['method'];
  readonly path: Declaration['path'];
  readonly tracker: Declaration extends { readonly tracker: infer Tracker extends CallContract['tracker'] }
    ? Tracker
    : 'required';
};

/** Declares a call; what is not said takes the value that most calls have. */
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
    status: 200,
    errors: [],
    ...declaration,
  };
  return contract as Declared<Declaration>;
}

/** Names of the parameters in a path template, as a union of string literals. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Every error code that a call may answer with, those that follow from its contract included. */
export function errorCodesOf(call: CallContract): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    // A body is read before anybody asks whether the call takes one.
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

/** Whether a replica may answer a call, which then says in `Centavo-Read-After` how much it must have seen: reads of a tracker. */
export function takesReadAfter({ method, tracker }: Pick<CallContract, 'method' | 'tracker'>): boolean {
  return method === 'GET' && (tracker === 'required' || tracker === 'path');
}

/**
 * Whether a success may tell in `Centavo-Read-After` what a read has to see that should find what was written. The embedded
 * provider writes nothing that a read of a tracker shows.
 */
export function tellsReadAfter({ method, base }: Pick<CallContract, 'method' | 'base'>): boolean {
  return method !== 'GET' && base === '/v1/financial';
}

/** The whole path of a call from the server's root, its parameters filled in and percent-encoded. */
export function pathOf<Path extends string>(
  call: { readonly base: CallBase; readonly path: Path },
  parameters: Readonly<Record<PathParameter<Path>, string>>,
): string {
  const values = parameters as Readonly<Record<string, string>>;
  return call.base + call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
