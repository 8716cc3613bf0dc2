import { type Authenticated, authenticate, findSessionCheck } from '../auth/authenticate.js';
import { type Access, decideAccess } from '../auth/authorize.js';
import type { Transaction } from '../database/transaction.js';
import type { Operation, OperationRequest } from './operation.js';
import { withRetries } from './operation-attempts.js';

/**
 * Authenticates the caller with the first statement of the transaction, and returns the caller.
 * @param options.isAlone true if no other statement follows; a read-only transaction then ends in the batch of this statement
 * @param options.afterSend called synchronously after the statement is queued; statements that this callback queues are sent in the
 *   batch of this statement
 * @throws ApiError 401
 * @throws UnknownUser if the token of an external issuer is valid, but the database does not have its user yet
 */
export async function authenticateCaller(
  { server, request, validation, credential }: Operation,
  options: { readonly tx: Transaction; readonly isAlone: boolean; readonly afterSend?: (() => void) | undefined },
): Promise<Authenticated> {
  const { tx, isAlone, afterSend } = options;
  return authenticate(tx, {
    call: request.endpoint.route.call,
    credential,
    storesSessions: server.identity.storesSessions,
    trackerHeader: trackerHeaderOf(request),
    pathTrackerId: request.pathParameters.trackerId,
    idempotencyKey: validation.ok ? validation.request.idempotencyKey : null,
    isAlone,
    afterSend,
  });
}

/**
 * Checks the tracker, the kind of principal, the scope and the role. If the operation requires a recent one-time code, also checks when
 * the session last used one. Returns the caller's access.
 * @throws ApiError 400, 401, 403 or 404
 */
export function requireAccess({ server, request, credential }: Operation, caller: Authenticated): Access {
  const { call } = request.endpoint.route;
  return decideAccess({
    call,
    ...caller,
    trackerHeader: trackerHeaderOf(request) ?? null,
    stepUp: {
      isRequired: call.stepUp || server.stepUpCalls.has(call.name),
      totpAtSeconds: credential.claims?.totpAtSeconds ?? null,
      nowSeconds: Math.floor(server.now().getTime() / 1000),
      maxAgeSeconds: server.stepUpMaxAgeSeconds,
    },
  });
}

/**
 * Asks an external issuer whether the session is active, before an operation whose result, such as a new API key, outlives the session.
 * Authentication and the rate limit come first, so that no client can trigger unlimited requests to the issuer. No transaction is open
 * while the issuer is asked.
 * @throws SESSION_INACTIVE (401), SERVICE_UNAVAILABLE (503), and the errors of authentication (401) and rate limit (429)
 */
export async function requireSessionOfIssuer(operation: Operation): Promise<void> {
  const { server, request, validation, credential, limit } = operation;
  const { identity } = server;
  const { call } = request.endpoint.route;
  const body = validation.ok ? validation.request.body : undefined;
  const askIssuer = findSessionCheck({ identity, credential, call, body });
  if (askIssuer === undefined) return;
  await withRetries(operation, (database) =>
    database.transaction({ readOnly: false }, async (tx) => {
      const { principal } = await authenticateCaller(operation, { tx, isAlone: false });
      await limit.consume(principal, operation.validation.tokens);
    }),
  );
  await askIssuer();
}

/**
 * Returns the tracker header, or undefined for an operation outside a tracker. Such an operation ignores the header, so that a malformed
 * value cannot block, for example, a logout.
 */
function trackerHeaderOf({ endpoint, incoming }: OperationRequest): string | undefined {
  return endpoint.route.call.tracker === 'none' ? undefined : incoming.trackerHeader;
}
