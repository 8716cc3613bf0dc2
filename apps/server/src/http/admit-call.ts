import { authenticate, type Presented } from '../access/authenticate.js';
import { type Access, decideAccess } from '../access/decide-access.js';
import type { Transaction } from '../database/database.js';
import type { CallServer, Served } from './serve-call.js';

type Authenticated = Awaited<ReturnType<typeof authenticate>>;

/**
 * Lets a call in, in the order the contract fixes: who is calling (401), whether they call too often (429), then tracker,
 * scope and role. A refusal rolls the transaction back, and with it the lock of an idempotency key: the key stays free.
 * Source: contract, section 5
 * @param request.meter takes a token of the identified principal, or throws RATE_LIMITED (429)
 * @throws ApiError for every refusal
 */
export async function admitCall(
  tx: Transaction,
  request: {
    readonly server: CallServer;
    readonly served: Served;
    readonly presented: Presented;
    readonly idempotencyKey: string | null;
    readonly meter: (principal: Authenticated['principal']) => Promise<void>;
  },
): Promise<{ readonly access: Access; readonly facts: Authenticated['facts'] }> {
  const { server, served, presented } = request;
  const { call } = served.endpoint.route;
  const { principal, facts } = await authenticate(tx, {
    call,
    presented,
    keepsSessions: server.identity.keepsSessions,
    trackerHeader: served.incoming.trackerHeader,
    pathTrackerId: served.pathParameters.trackerId,
    idempotencyKey: request.idempotencyKey,
  });
  await request.meter(principal);
  const access = decideAccess({
    call,
    principal,
    facts,
    trackerHeader: served.incoming.trackerHeader ?? null,
    stepUp: {
      isRequired: call.stepUp || server.stepUpCalls.has(call.name),
      totpAtSeconds: presented.claims?.totpAtSeconds ?? null,
      nowSeconds: Math.floor(server.now().getTime() / 1000),
      maxAgeSeconds: server.stepUpMaxAgeSeconds,
    },
  });
  return { access, facts };
}
