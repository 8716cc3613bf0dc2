import { headerNames, tellsReadAfter } from '@centavo/contracts';
import { type Presented, readCredential } from '../access/authenticate.js';
import type { CredentialUse } from '../access/credential-use.js';
import { findSessionCheck } from '../access/find-session-check.js';
import type { IdentityProvider } from '../access/identity-provider.js';
import type { LastPlaces } from '../access/last-places.js';
import type { Principal } from '../access/principal.js';
import { withNewUser } from '../access/with-new-user.js';
import type { Database, Transaction, Transactions } from '../database/database.js';
import type { Replica } from '../database/open-replica.js';
import { limitAnonymousCall } from '../limits/anonymous-limits.js';
import type { Limiter } from '../limits/create-limiter.js';
import { limitFailedCredential } from '../limits/limit-failed-credential.js';
import { decideReplay } from '../writes/decide-replay.js';
import { recordAudit, recordKeyedWrite } from '../writes/record-write.queries.js';
import { databaseWaitMsMax, type Pace, repeatUntilDecided, TwinInProgress } from '../writes/repeat-until-decided.js';
import { requestFingerprint } from '../writes/request-fingerprint.js';
import type { SingleFlight } from '../writes/single-flight.js';
import { identifyCaller } from './admit-call.js';
import type { Endpoint, EndpointRequest, LoadRequest } from './endpoint.js';
import type { Answer } from './error-answer.js';
import { type AdmittedLoading, admitLoading } from './load-ahead.js';
import { meterCall } from './meter-call.js';
import { readFromReplica } from './read-from-replica.js';
import type { Incoming } from './read-incoming.js';
import { storedAnswer, successAnswer } from './success-answer.js';
import { type ValidRequest, validateRequest } from './validate-request.js';

/** What serving a call needs of the house. */
export interface CallServer {
  readonly database: Database;
  /** A second place to read from. */
  readonly replica: Replica | null;
  readonly identity: IdentityProvider;
  readonly limiter: Limiter;
  readonly credentialUse: CredentialUse;
  readonly lastPlaces: LastPlaces;
  readonly singleFlight: SingleFlight;
  readonly pace: Pace;
  readonly newId: () => string;
  /** The time by which sessions and one-time codes are judged. */
  readonly now: () => Date;
  readonly stepUpMaxAgeSeconds: number;
  /** Calls that ask for a recent one-time code because the operator says so, beside those of the contract. */
  readonly stepUpCalls: ReadonlySet<string>;
}

/** One request at one endpoint. */
export interface Served {
  readonly endpoint: Endpoint;
  readonly incoming: Incoming;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The IP address that the request came from. */
  readonly address: string;
  /** Adds headers to the answer, whatever it will be: a success, a refusal or a fault. */
  readonly announce: (headers: Readonly<Record<string, string>>) => void;
}

/**
 * Serves one call, in the order the contract fixes: credential, rate limit, tracker, scope and role, then the request
 * itself, then idempotency, If-Match and the domain. Source: contract, section 5.
 * @throws ApiError for every refusal
 */
export async function serveCall(server: CallServer, served: Served): Promise<Answer> {
  try {
    return await answerCall(server, served);
  } catch (error) {
    throw await limitFailedCredential(error, { limiter: server.limiter, address: served.address });
  }
}

async function answerCall(server: CallServer, served: Served): Promise<Answer> {
  const { route } = served.endpoint;
  const validation = validateRequest({ ...served, route });
  if (route.call.caller === 'anyone' && served.endpoint.kind === 'detached') {
    const { address } = served;
    const anonymousLimits = await limitAnonymousCall({ limiter: server.limiter, call: route.call, address });
    if (!validation.ok) throw validation.error;
    const { body } = validation.request;
    const database = server.database.within(databaseWaitMsMax);
    const caller = { principal: null, claims: null, anonymousLimits };
    const outcome = await served.endpoint.handle({ body, ...caller, database, requestId: served.requestId });
    return successAnswer(served, { outcome, trackerId: null });
  }

  const presented = await readCredential(served.incoming.authorization, server.identity);
  const key = validation.ok ? validation.request.idempotencyKey : null;
  const spend = meterCall({ limiter: server.limiter, call: route.call, announce: served.announce });
  let credentialId: string | null = null;
  // The first moment that the caller is known; being refused afterwards is a use all the same.
  const meter = (principal: Principal) => {
    credentialId = principal.credentialId;
    return spend(principal);
  };
  const asking = { server, served, presented, idempotencyKey: key, meter };
  const checkSession = findSessionCheck({ identity: server.identity, presented, call: route.call });
  if (checkSession !== undefined) {
    const database = server.database.within(databaseWaitMsMax);
    const identify = () => database.transaction({ readOnly: false }, (tx) => identifyCaller(tx, asking));
    await withNewUser(server.identity, identify);
    await checkSession();
  }
  const performIn = (tx: Transaction, admitted: AdmittedLoading) => {
    if (!validation.ok) throw validation.error;
    return perform(server, served, { tx, ...admitted, presented, valid: validation.request });
  };
  const enterPrimary = (database: Transactions) =>
    database.transaction(
      { readOnly: route.call.method === 'GET', onPosition: positionTeller(server, served) },
      async (tx) => performIn(tx, await admitLoading(tx, { asking, valid: validation.ok ? validation.request : null })),
    );
  const readAfter = validation.ok ? validation.request.readAfter : null;
  const attempt = (waitMsMax: number) => {
    const database = server.database.within(waitMsMax);
    const enter = async () =>
      (await readFromReplica({ asking, database, readAfter, perform: performIn })) ?? (await enterPrimary(database));
    return withNewUser(server.identity, enter);
  };
  const startedAt = server.pace.now();
  const decided = () => repeatUntilDecided({ attempt, isKeyed: key !== null, pace: server.pace, startedAt });
  const waitForTwin = () =>
    server.singleFlight.run({
      key: `${presented.fingerprint} ${key}`,
      waitMsMax: 5_000,
      sleep: server.pace.sleep,
      work: decided,
    });
  try {
    const done = await (key === null ? decided() : waitForTwin());
    return await done();
  } finally {
    if (credentialId !== null) server.credentialUse.note(credentialId);
  }
}

/** Tells the client of a write what a read has to see that should find it, where there is a replica that might not. */
function positionTeller(server: CallServer, { endpoint, announce }: Served): ((position: string) => void) | undefined {
  if (server.replica === null || endpoint.kind === 'detached' || !tellsReadAfter(endpoint.route.call)) return undefined;
  return (position) => announce({ [headerNames.readAfter]: position });
}

/** Runs the handler, or finds that it ran before; gives what is left to do once the transaction has committed. */
async function perform(
  server: CallServer,
  served: Served,
  entered: AdmittedLoading & { readonly tx: Transaction; readonly presented: Presented; readonly valid: ValidRequest },
): Promise<() => Promise<Answer>> {
  const { endpoint, requestId } = served;
  const { tx, access, valid, presented } = entered;
  const { principal, tracker } = access;
  if (endpoint.kind === 'detached') {
    return async () => {
      const { claims } = presented;
      const database = server.database.within(databaseWaitMsMax);
      const caller = { principal, claims, anonymousLimits: null };
      const outcome = await endpoint.handle({ body: valid.body, ...caller, database, requestId });
      return successAnswer(served, { outcome, trackerId: null });
    };
  }

  const request = {
    tx,
    pathParameters: served.pathParameters,
    query: valid.query,
    body: valid.body,
    ifMatch: valid.ifMatch,
    principal,
    tracker,
    eligibleTrackerIds: access.eligibleTrackerIds,
    requestId,
    totpAtSeconds: presented.claims?.totpAtSeconds ?? null,
    newId: server.newId,
  } as EndpointRequest;
  const trackerId = tracker?.id ?? null;
  endpoint.authorize?.(request);
  const handle = async () =>
    endpoint.handle(request, await (entered.loaded ?? endpoint.load?.(loadRequestOf(request))));

  if (valid.idempotencyKey === null || tracker === null) {
    const outcome = await handle();
    const { effect } = outcome;
    if (effect !== undefined) {
      tx.sendWithCommit(() => recordAudit(tx, { id: server.newId(), effect, principal, requestId }));
    }
    return async () => successAnswer(served, { outcome, trackerId });
  }

  const fingerprint = fingerprintOf(served, { trackerId: tracker.id, body: valid.body });
  const decision = decideReplay({ facts: entered.facts, tracker, fingerprint, requestId });
  if (decision.kind === 'twin_in_progress') throw new TwinInProgress();
  if (decision.kind !== 'first') return async () => storedAnswer(served, decision, trackerId);
  const outcome = await handle();
  const record = {
    auditId: server.newId(),
    effect: outcome.effect ?? null,
    principal,
    tracker,
    requestId,
    callName: endpoint.route.call.name,
    idempotencyKey: valid.idempotencyKey,
    fingerprint,
    etag: outcome.etag ?? null,
    data: outcome.data,
  };
  tx.sendWithCommit(() => recordKeyedWrite(tx, record));
  return async () => successAnswer(served, { outcome, trackerId });
}

function loadRequestOf({ tx, pathParameters, query, body, principal, tracker }: EndpointRequest): LoadRequest {
  if (tracker === null) throw new Error('What is loaded first is loaded from a tracker.');
  return { tx, pathParameters, query, body, userId: principal.userId, trackerId: tracker.id };
}

function fingerprintOf(served: Served, write: { readonly trackerId: string; readonly body: unknown }): Buffer {
  const { call } = served.endpoint.route;
  const { pathParameters } = served;
  return requestFingerprint({ method: call.method, route: call.base + call.path, pathParameters, ...write });
}
