import { authenticate, type Presented } from '../access/authenticate.js';
import { type Access, decideAccess } from '../access/decide-access.js';
import type { Transaction } from '../database/database.js';
import type { CallServer, Served } from './serve-call.js';

type Authenticated = Awaited<ReturnType<typeof authenticate>>;

/** A caller who was let in, and what was found out on the way. */
export interface Admitted {
  readonly access: Access;
  readonly facts: Authenticated['facts'];
}

/** A request that asks to be let in. */
export interface Asking {
  readonly server: CallServer;
  readonly served: Served;
  readonly presented: Presented;
  readonly idempotencyKey: string | null;
  /** Takes a token of the identified principal, or throws RATE_LIMITED (429). */
  readonly meter: (principal: Authenticated['principal']) => Promise<void>;
  /** The transaction is for letting in alone; what is asked for is read elsewhere. */
  readonly isAlone?: boolean;
  /** Told as soon as the statement that enters the request is on its way: what is sent now is carried out behind it. */
  readonly onEntering?: () => void;
}

/**
 * Lets a call in, in the order the contract fixes: who is calling (401), whether they call too often (429), then tracker,
 * scope and role. A refusal rolls the transaction back, and with it the lock of an idempotency key: the key stays free.
 * Source: contract, section 5
 * @throws ApiError for every refusal
 */
export async function admitCall(tx: Transaction, asking: Asking): Promise<Admitted> {
  const { server, served, presented } = asking;
  const { call } = served.endpoint.route;
  const { principal, facts } = await identifyCaller(tx, asking);
  const access = decideAccess({
    call,
    principal,
    facts,
    trackerHeader: trackerHeaderOf(served) ?? null,
    stepUp: {
      isRequired: call.stepUp || server.stepUpCalls.has(call.name),
      totpAtSeconds: presented.claims?.totpAtSeconds ?? null,
      nowSeconds: Math.floor(server.now().getTime() / 1000),
      maxAgeSeconds: server.stepUpMaxAgeSeconds,
    },
  });
  return { access, facts };
}

/**
 * The first half of letting a call in: who is calling, and whether they call too often.
 * @throws ApiError 401 or 429
 */
export async function identifyCaller(tx: Transaction, asking: Asking): Promise<Authenticated> {
  const { server, served, presented } = asking;
  const authenticating = authenticate(tx, {
    call: served.endpoint.route.call,
    presented,
    keepsSessions: server.identity.keepsSessions,
    trackerHeader: trackerHeaderOf(served),
    pathTrackerId: served.pathParameters.trackerId,
    idempotencyKey: asking.idempotencyKey,
    isAlone: asking.isAlone ?? false,
  });
  if (tx.isUnderWay) asking.onEntering?.();
  const authenticated = await authenticating;
  await asking.meter(authenticated.principal);
  return authenticated;
}

/** What acts in no tracker does not look at the header: a mistake in it must keep nobody from logging out. */
function trackerHeaderOf({ endpoint, incoming }: Served): string | undefined {
  return endpoint.route.call.tracker === 'none' ? undefined : incoming.trackerHeader;
}
