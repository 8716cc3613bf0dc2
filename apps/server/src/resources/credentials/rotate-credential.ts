import type { rotateApiKeyBody } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, stateConflict, validationError } from '../../api-error.js';
import { type CredentialPlan, decideExpiry, requireRoomForOneMore } from './credentials.rules.js';
import { type CredentialRow, credentialStatus } from './credentials.view.js';

/**
 * Decides the replacement of a key: scopes, access and default tracker are the old one's, never the body's, so that a
 * rotation cannot widen a key. The old one stays active. Pure.
 * @throws NOT_FOUND (404); STATE_CONFLICT (409) `legacy`, `not_active` or `limit_reached`; VALIDATION_ERROR (400)
 *   OUT_OF_RANGE for `expiresAt`. Source: contract, sections 4 and 10a
 */
export function decideRotation(request: {
  readonly body: z.output<typeof rotateApiKeyBody>;
  readonly current: CredentialRow | undefined;
  readonly unrevokedCount: number;
  readonly now: Date;
  readonly validityDaysMax: number;
}): CredentialPlan & { readonly lineageId: string; readonly rotatedFrom: string } {
  const { body, current, now, validityDaysMax } = request;
  if (current === undefined) throw notFound();
  if (current.kind === 'legacy') {
    throw stateConflict('legacy', 'A legacy key is not rotated; create an API key and delete this one.');
  }
  if (credentialStatus(current, now) !== 'active') {
    throw stateConflict('not_active', 'Only an active key is rotated; create a new one.');
  }
  const expiry = decideExpiry({ expiresAt: body.expiresAt, now, validityDaysMax });
  if (expiry.expiresAt === undefined) throw validationError([expiry.issue]);
  requireRoomForOneMore(request.unrevokedCount);
  return {
    name: body.name ?? current.name,
    scopes: current.scopes,
    accessMode: current.access_mode,
    trackerIds: current.tracker_ids,
    defaultTrackerId: current.default_tracker_id,
    createdAt: now,
    expiresAt: expiry.expiresAt,
    lineageId: current.lineage_id,
    rotatedFrom: current.id,
  };
}
