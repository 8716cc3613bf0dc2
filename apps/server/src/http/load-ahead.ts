import { ApiError } from '../api-error.js';
import type { Transaction } from '../database/database.js';
import { Misguessed } from '../writes/repeat-until-decided.js';
import { type Admitted, type Asking, admitCall } from './admit-call.js';
import type { LoadRequest } from './endpoint.js';
import type { ValidRequest } from './validate-request.js';

/** A caller who was let in, with what their endpoint loads, where it was possible to ask for that at once. */
export interface AdmittedLoading extends Admitted {
  readonly loaded?: Promise<unknown>;
}

/**
 * Lets a call in, and asks on the same trip for what its endpoint loads in any case, as of where the caller was let in last.
 * PostgreSQL looks it up behind the statement that enters the request, by the context and the rights that this one has set;
 * what it found for somebody who is refused, or elsewhere than expected, is thrown away unseen.
 * @throws ApiError for every refusal
 * @throws Misguessed when the caller acts elsewhere by now; the next attempt expects nothing
 */
export async function admitLoading(
  tx: Transaction,
  { asking, valid }: { readonly asking: Asking; readonly valid: ValidRequest | null },
): Promise<AdmittedLoading> {
  const { served, presented, server } = asking;
  const { endpoint } = served;
  if (endpoint.kind === 'detached' || endpoint.load === undefined || valid === null) return admitCall(tx, asking);
  // What it throws at once, it throws as what it promises.
  const load = async (request: LoadRequest) => endpoint.load?.(request);
  // Of each call by itself: who may make one call may be refused another.
  const caller = `${endpoint.route.call.name} ${presented.fingerprint} ${served.incoming.trackerHeader ?? ''}`;
  const expected = server.lastPlaces.find(caller);
  let loaded: Promise<unknown> | undefined;
  const onEntering = () => {
    if (expected === undefined) return;
    loaded = load({ tx, ...expected, ...valid, pathParameters: served.pathParameters } as LoadRequest);
    // Whoever is refused never asks for it.
    loaded.catch(() => {});
  };
  try {
    const admitted = await admitCall(tx, { ...asking, onEntering });
    const { principal, tracker } = admitted.access;
    const place = { userId: principal.userId, trackerId: tracker?.id ?? '' };
    if (expected !== undefined && (expected.userId !== place.userId || expected.trackerId !== place.trackerId)) {
      throw new Misguessed();
    }
    server.lastPlaces.keep(caller, place);
    return loaded === undefined ? admitted : { ...admitted, loaded };
  } catch (error) {
    // Whoever was only kept from an answer is let in when it is asked again.
    if (error instanceof ApiError || error instanceof Misguessed) server.lastPlaces.forget(caller);
    throw error;
  }
}
