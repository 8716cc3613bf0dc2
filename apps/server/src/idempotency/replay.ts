import { errorCodes } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import type { RequestFacts, StoredAnswer } from '../auth/auth.queries.js';
import type { EffectiveTracker } from '../auth/principal.js';

/** The decision about a request with an idempotency key. */
export type ReplayDecision =
  | { readonly kind: 'first' }
  /** An earlier attempt of this same request (same request id) was committed, but the acknowledgement of its COMMIT was lost. */
  | { readonly kind: 'own'; readonly answer: StoredAnswer }
  /** An earlier request with the same fingerprint got this response. */
  | { readonly kind: 'replay'; readonly answer: StoredAnswer }
  /** A concurrent duplicate holds the lock of the key. */
  | { readonly kind: 'duplicate_in_progress' };

/**
 * Decides whether a request with an idempotency key is the first request or a replay. Pure. A key that was used only in another tracker
 * usually identifies another operation, so the request counts as a first request. But the key is refused if this request or an earlier
 * request with the key used the active or default tracker. Both may then be attempts of one operation, because the user may have selected
 * another tracker after the first attempt.
 * @throws IDEMPOTENCY_KEY_REUSED (409) for a refused key, and for a key that has another fingerprint in this tracker
 * @source docs/contract.md, section 6
 */
export function decideReplay(request: {
  readonly facts: Pick<RequestFacts, 'storedAnswers' | 'keyLocked'>;
  readonly tracker: EffectiveTracker;
  readonly fingerprint: Buffer;
  readonly requestId: string;
}): ReplayDecision {
  const { facts, tracker } = request;
  // A response with this request ID is accepted from any tracker: the active or default tracker may have changed after the response was
  // recorded.
  const own = facts.storedAnswers.find((answer) => answer.requestId === request.requestId);
  if (own !== undefined) return { kind: 'own', answer: own };
  const here = facts.storedAnswers.find((answer) => answer.trackerId === tracker.id);
  if (here !== undefined) {
    if (here.fingerprint !== request.fingerprint.toString('hex')) {
      throw keyReused('This idempotency key belongs to a request with another body or path.');
    }
    return { kind: 'replay', answer: here };
  }
  const elsewhere = facts.storedAnswers;
  if (elsewhere.length > 0) {
    if (!isTrackerExplicit(tracker) || elsewhere.some((answer) => !answer.trackerExplicit)) {
      throw keyReused(
        'This idempotency key was used in another tracker, and one of the two requests did not name its tracker.',
      );
    }
  }
  return facts.keyLocked === false ? { kind: 'duplicate_in_progress' } : { kind: 'first' };
}

/**
 * Returns true if a header of the request named the tracker, or if the tracker is used because it is the only eligible one. Returns false
 * for the active or the default tracker, because the user may select another one between two attempts.
 */
export function isTrackerExplicit(tracker: EffectiveTracker): boolean {
  return tracker.resolvedBy === 'header' || tracker.resolvedBy === 'single';
}

function keyReused(reason: string): ApiError {
  const message = `${reason} ${errorCodes.IDEMPOTENCY_KEY_REUSED.remedy}`;
  return new ApiError({ code: 'IDEMPOTENCY_KEY_REUSED', message });
}
