import { hash } from 'node:crypto';
import { ApiError, notFound, stateConflict } from '../../api-error.js';
import type { MovementRow } from './movements.view.js';

/**
 * Requires that a movement can be voided, and returns it. Pure. Checks the conditions below in this order.
 * @throws NOT_FOUND (404) when the movement does not exist; VERSION_CONFLICT (409) when no tag of If-Match is the current ETag;
 *   STATE_CONFLICT (409) `transfer_leg` for a leg of a transfer, `voided` for a voided movement
 * @source docs/additions.md, section 2.1
 */
export function requireVoidableMovement(current: MovementRow | undefined, ifMatch: readonly string[]): MovementRow {
  if (current === undefined) throw notFound();
  const currentEtag = movementEtag(current);
  if (!ifMatch.includes(currentEtag)) throw versionConflict(currentEtag);
  if (current.kind === 'transfer') throw transferLeg(current, 'voided');
  if (current.voided_at !== null) throw voided('movement', current.voided_at);
  return current;
}

/** Returns the 409 error for a request that corrects or voids a single leg of a transfer. */
export function transferLeg(
  { transfer_group_id: transferGroupId }: MovementRow,
  what: 'corrected' | 'voided',
): ApiError {
  const remedy = what === 'voided' ? 'Void the transfer.' : 'Void the transfer, and record it again.';
  return stateConflict('transfer_leg', `A leg of a transfer cannot be ${what} on its own. ${remedy}`, {
    transferGroupId,
  });
}

/** Returns the 409 error for a change of a voided record. */
export function voided(resource: 'movement' | 'transfer', voidedAt: string): ApiError {
  return stateConflict('voided', `This ${resource} is voided and cannot change. Record it again if you need it.`, {
    voidedAt,
  });
}

/** Returns the 409 error for a stale If-Match, with the current ETag. */
export function versionConflict(currentEtag: string, resource: 'movement' | 'transfer' = 'movement'): ApiError {
  return new ApiError({
    code: 'VERSION_CONFLICT',
    message: `The ${resource} has changed since you fetched it. Fetch it again, decide again, and send its new ETag.`,
    details: { currentEtag },
    headers: { ETag: currentEtag },
  });
}

/**
 * Returns the strong ETag of one version of a movement. It is a hash of the version and of the id, so that the tag of another movement
 * never matches.
 * @source docs/contract.md, section 6
 */
export function movementEtag(movement: { readonly id: string; readonly version: number }): string {
  return strongEtag(`${movement.id}|${movement.version}`);
}

/** Returns a strong ETag for a string that identifies a version. */
export function strongEtag(version: string): string {
  return `"${hash('sha256', version, 'base64url').slice(0, 22)}"`;
}
