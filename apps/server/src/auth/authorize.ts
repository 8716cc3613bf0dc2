import { type CallContract, isUuid, type Role, roleOfScope, roleReaches, type Scope } from '@centavo/contracts';
import { ApiError, notFound, trackerForbidden, validationError } from '../api-error.js';
import type { RequestFacts } from './auth.queries.js';
import type { EffectiveTracker, Principal } from './principal.js';
import { requireRecentTotp } from './step-up.js';

/** The access of an authorized caller. */
export interface Access {
  readonly principal: Principal;
  readonly tracker: EffectiveTracker | null;
  readonly eligibleTrackerIds: readonly string[];
}

/**
 * Decides whether an authenticated principal may run an operation. Checks in the contract's order: recent one-time code (401),
 * tracker (400, 403), kind of principal (403), tracker in the path (404), scope and role (403). Pure.
 * @throws STEP_UP_REQUIRED (401), VALIDATION_ERROR (400), TRACKER_FORBIDDEN, USER_SESSION_REQUIRED, INSUFFICIENT_SCOPE,
 *   INSUFFICIENT_ROLE (403), NOT_FOUND (404)
 */
export function decideAccess(request: {
  readonly call: CallContract;
  readonly principal: Principal;
  readonly facts: RequestFacts;
  readonly trackerHeader: string | null;
  readonly stepUp: {
    readonly isRequired: boolean;
    readonly totpAtSeconds: number | null;
    readonly nowSeconds: number;
    readonly maxAgeSeconds: number;
  };
}): Access {
  const { call, principal, facts } = request;
  if (request.stepUp.isRequired && principal.type === 'user') requireRecentTotp(request.stepUp);
  if (request.trackerHeader !== null && !isUuid(request.trackerHeader)) throw malformedTrackerHeader();
  requireTracker(call, facts, request.trackerHeader);
  if (call.caller === 'user' && principal.type !== 'user') {
    throw new ApiError({
      code: 'USER_SESSION_REQUIRED',
      message: 'This operation requires the token of a user session. API keys and integration clients may not use it.',
    });
  }
  if (call.tracker === 'path' && facts.tracker === null) throw notFound();
  requireScope(call, principal, facts.tracker);
  if (call.role !== null && facts.tracker !== null) requireRole(facts.tracker.role, call.role);
  // If an operation uses no tracker, its response must not reveal the active tracker of the caller.
  const tracker = call.tracker === 'none' ? null : facts.tracker;
  return { principal, tracker, eligibleTrackerIds: facts.eligibleTrackerIds };
}

/** @throws INSUFFICIENT_ROLE (403) when `role` ranks below `least` */
export function requireRole(role: Role, least: Role): void {
  if (roleReaches(role, least)) return;
  const sufficient = least === 'owner' ? 'the role owner' : `the role ${least} or a higher role`;
  throw new ApiError({
    code: 'INSUFFICIENT_ROLE',
    message: `This request requires ${sufficient} in the tracker.`,
    details: { requiredRole: least },
  });
}

/**
 * Requires that a principal has at least one of `scopes`. In a tracker, the role of the principal's user must also allow one such scope.
 * Pure.
 * @throws INSUFFICIENT_SCOPE, INSUFFICIENT_ROLE (403)
 */
export function requireAnyScope(request: {
  readonly scopes: readonly Scope[];
  readonly principal: Principal;
  readonly tracker: EffectiveTracker | null;
}): void {
  const grantedScopes = request.scopes.filter((scope) => request.principal.scopes.includes(scope));
  if (grantedScopes.length === 0) {
    throw new ApiError({
      code: 'INSUFFICIENT_SCOPE',
      message: `This request requires the scope ${request.scopes.join(' or ')}.`,
      details: { requiredScopes: request.scopes },
    });
  }
  const { tracker } = request;
  if (tracker === null) return;
  const requiredRoles = grantedScopes.map((scope) => roleOfScope[scope]);
  if (requiredRoles.some((role) => role === null || roleReaches(tracker.role, role))) return;
  requireRole(tracker.role, requiredRoles.find((role) => role !== null) ?? 'viewer');
}

/** Requires that the tracker in the header is eligible. If the operation requires a tracker, also requires that one was selected. */
function requireTracker(call: CallContract, facts: RequestFacts, trackerHeader: string | null): void {
  if (trackerHeader !== null && !facts.eligibleTrackerIds.includes(trackerHeader.toLowerCase())) {
    throw trackerForbidden([trackerHeader.toLowerCase()]);
  }
  if (call.tracker !== 'required' || facts.tracker !== null) return;
  if (facts.eligibleTrackerIds.length === 0) throw trackerForbidden([]);
  // If a tracker is chosen here, the caller may no longer use it: otherwise `facts.tracker` would not be null. A secure key ignores the
  // active and the default tracker.
  const chosen = facts.credential?.kind === 'secure' ? null : (facts.activeTrackerId ?? facts.defaultTrackerId);
  if (chosen !== null) throw trackerForbidden([chosen]);
  throw validationError([
    {
      path: 'header.X-Service-Tracker-Id',
      code: 'TRACKER_HEADER_REQUIRED',
      message: 'Several trackers are eligible. Send one of trackerIds in the X-Service-Tracker-Id header.',
      trackerIds: facts.eligibleTrackerIds,
    },
  ]);
}

function malformedTrackerHeader(): ApiError {
  return validationError([
    { path: 'header.X-Service-Tracker-Id', code: 'INVALID_FORMAT', message: 'Send a tracker UUID in this header.' },
  ]);
}

function requireScope(call: CallContract, principal: Principal, tracker: EffectiveTracker | null): void {
  if (call.scopes.length > 0) requireAnyScope({ scopes: call.scopes, principal, tracker });
}
