import { createHash } from 'node:crypto';
import type { rotateApiKeyBody } from '@centavo/contracts';
import {
  type createIntegrationClientBody,
  formatSecret,
  type Issue,
  type Role,
  roleReaches,
  type Scope,
} from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, stateConflict, trackerForbidden, validationError } from '../../api-error.js';
import { type CredentialRow, credentialStatus } from './credentials.view.js';

/** Maximum number of unrevoked credentials per user. Source: docs/contract.md, section 4. */
export const credentialsPerUserMax = 100;

/** Default validity of a credential, in days. Source: docs/financial-integration-api.md, Authentication, rule 6. */
export const keyValidityDaysDefault = 90;

/** A tracker of which the caller is a member, and the caller's role in this tracker. */
export interface Membership {
  readonly trackerId: string;
  readonly role: Role;
}

/** A new credential with all defaults applied. */
export interface CredentialPlan {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly accessMode: 'selected' | 'all_managed' | 'all_memberships';
  readonly trackerIds: readonly string[];
  readonly defaultTrackerId: string | null;
  /** The start of the validity. The maximum validity is measured from this time. */
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/**
 * Validates a new API key or integration client, and applies its defaults. Pure. An API key may access trackers in which the caller is
 * owner or admin. An integration client may access trackers of which the caller is a member; without `access` it gets all of them.
 * @throws VALIDATION_ERROR (400) OUT_OF_RANGE for `expiresAt`, FIELD_CONFLICT for a default tracker outside the selected trackers
 * @throws TRACKER_FORBIDDEN (403) with the ids of the trackers to which the caller cannot grant access
 * @throws STATE_CONFLICT (409) `limit_reached` at the maximum number of credentials
 * @source docs/contract.md, section 4
 */
export function decideCredential(request: {
  readonly kind: 'secure' | 'integration_client';
  readonly body: z.output<typeof createIntegrationClientBody>;
  readonly memberships: readonly Membership[];
  readonly unrevokedCount: number;
  readonly now: Date;
  readonly validityDaysMax: number;
}): CredentialPlan {
  const { body, now } = request;
  const { mode, trackerIds } = body.access ?? { mode: 'all_memberships', trackerIds: [] };
  const expiry = decideExpiry({ expiresAt: body.expiresAt, now, validityDaysMax: request.validityDaysMax });
  const issues: Issue[] = expiry.issue === undefined ? [] : [expiry.issue];
  const { defaultTrackerId } = body;
  if (mode === 'selected' && defaultTrackerId !== undefined && !trackerIds.includes(defaultTrackerId)) {
    issues.push({
      path: 'defaultTrackerId',
      code: 'FIELD_CONFLICT',
      message: 'Choose one of access.trackerIds as the default tracker.',
    });
  }
  if (expiry.expiresAt === undefined || issues.length > 0) throw validationError(issues);

  const leastRole = request.kind === 'secure' || mode === 'all_managed' ? 'admin' : 'viewer';
  const grantable = new Set(
    request.memberships.filter(({ role }) => roleReaches(role, leastRole)).map(({ trackerId }) => trackerId),
  );
  const requested = defaultTrackerId === undefined ? trackerIds : [...trackerIds, defaultTrackerId];
  const forbidden = [...new Set(requested.filter((trackerId) => !grantable.has(trackerId)))];
  if (forbidden.length > 0) throw trackerForbidden(forbidden);
  requireCredentialQuota(request.unrevokedCount);
  return {
    name: body.name,
    scopes: body.scopes,
    accessMode: mode,
    trackerIds,
    defaultTrackerId: defaultTrackerId ?? null,
    createdAt: now,
    expiresAt: expiry.expiresAt,
  };
}

/**
 * Checks that a user has fewer unrevoked credentials than the maximum. Pure.
 * @throws STATE_CONFLICT (409) `limit_reached` otherwise
 */
export function requireCredentialQuota(unrevokedCount: number): void {
  if (unrevokedCount < credentialsPerUserMax) return;
  throw stateConflict('limit_reached', `You have ${credentialsPerUserMax} credentials, the maximum. Revoke one first.`);
}

/**
 * Decides the expiry of a credential. If the request contains no time, the credential expires in 90 days, or earlier if the operator has
 * set a shorter maximum. Returns an issue if the requested time is not in the future or exceeds the operator's maximum. Pure.
 * @source docs/financial-integration-api.md, Authentication, rule 6; docs/contract.md, sections 4 and 10a
 */
export function decideExpiry(request: {
  readonly expiresAt: string | undefined;
  readonly now: Date;
  readonly validityDaysMax: number;
}):
  | { readonly expiresAt: Date; readonly issue?: undefined }
  | { readonly expiresAt?: undefined; readonly issue: Issue } {
  const dayMs = 86_400_000;
  const latest = new Date(request.now.getTime() + request.validityDaysMax * dayMs);
  if (request.expiresAt === undefined) {
    const defaultExpiry = new Date(request.now.getTime() + keyValidityDaysDefault * dayMs);
    return { expiresAt: defaultExpiry < latest ? defaultExpiry : latest };
  }
  const requested = new Date(request.expiresAt);
  if (requested > request.now && requested <= latest) return { expiresAt: requested };
  return {
    issue: {
      path: 'expiresAt',
      code: 'OUT_OF_RANGE',
      message: `Send a time in the future, at most ${request.validityDaysMax} days ahead.`,
    },
  };
}

/**
 * Decides the rotation of a key, and returns the plan of the new key. Pure. The new key has the scopes, access and default tracker of the
 * old key, so that a rotation cannot extend them. The old key stays active.
 * @throws NOT_FOUND (404) when the caller has no key with this id
 * @throws STATE_CONFLICT (409) `legacy` for a legacy key, `not_active` for an expired or revoked key, `limit_reached` at the maximum number
 *   of credentials
 * @throws VALIDATION_ERROR (400) OUT_OF_RANGE for `expiresAt`
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
    throw stateConflict('legacy', 'A legacy key cannot be rotated. Create an API key, and revoke this one.');
  }
  if (credentialStatus(current, now) !== 'active') {
    throw stateConflict('not_active', 'Only an active key can be rotated. Create a new API key.');
  }
  const expiry = decideExpiry({ expiresAt: body.expiresAt, now, validityDaysMax });
  if (expiry.expiresAt === undefined) throw validationError([expiry.issue]);
  requireCredentialQuota(request.unrevokedCount);
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

/** A new secret and the values that are stored for it. */
export interface NewSecret {
  /** Returned once, in the response to the request that creates it. */
  readonly secret: string;
  readonly secretSha256: Buffer;
  readonly secretLast4: string;
}

/**
 * Creates a secret from 256 random bits. With this entropy it is safe to store a plain SHA-256 hash.
 * @source docs/contract.md, section 8
 */
export function makeSecret(randomBytes: (size: number) => Uint8Array): NewSecret {
  const secret = formatSecret(randomBytes(32));
  return { secret, secretSha256: createHash('sha256').update(secret).digest(), secretLast4: secret.slice(-4) };
}
