import type { Context, Invitation, Member, Role, Tracker } from '@centavo/contracts';
import type { EffectiveTracker, Principal } from '../../auth/principal.js';

/**
 * Returns the API's context for a principal and the tracker of a request. `activeTrackerId` is the id of this tracker, which can differ
 * from the principal's stored active tracker.
 * @source docs/contract.md, section 3
 */
export function toContextView(access: {
  readonly principal: Principal;
  readonly tracker: Pick<EffectiveTracker, 'id' | 'resolvedBy'> | null;
}): Context {
  const { principal, tracker } = access;
  return {
    activeTrackerId: tracker?.id ?? null,
    defaultTrackerId: principal.defaultTrackerId,
    resolvedBy: tracker?.resolvedBy ?? null,
    principal: {
      type: principal.type,
      id: principal.id,
      name: principal.name,
      kind: principal.kind,
      scopes: [...principal.scopes],
      expiresAt: principal.expiresAt,
    },
  };
}

/** A database row of a tracker, without the fields that differ between its members. */
export interface SharedTrackerRow {
  readonly id: string;
  readonly name: string;
  readonly currency_code: string;
  readonly time_zone: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A database row of a tracker, with the principal's role and whether it is the principal's active or default tracker. */
export interface TrackerRow extends SharedTrackerRow {
  readonly role: Role;
  /** True if the tracker is the principal's stored active tracker. */
  readonly is_active: boolean;
  /** True if the tracker is the principal's stored default tracker. */
  readonly is_default: boolean;
}

/** Converts a row to the API's tracker. */
export function toTrackerView(row: TrackerRow): Tracker {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    currencyCode: row.currency_code,
    timeZone: row.time_zone,
    isActive: row.is_active,
    isDefault: row.is_default,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Converts a tracker to its state without the fields that differ between callers. The audit trail stores a digest of this state. */
export function toTrackerState({ id, name, currencyCode, timeZone, createdAt, updatedAt }: Tracker): object {
  return { id, name, currencyCode, timeZone, createdAt, updatedAt };
}

/** A database row of a member or an invited user. */
export interface MemberRow {
  readonly user_id: string;
  readonly email: string | null;
  readonly display_name: string | null;
  readonly role: Role;
  readonly status: Member['status'];
  /** The time when the membership or the invitation was created. */
  readonly created_at: string;
  /** The time when the user registered. */
  readonly registered_at: string;
}

/** Converts a row to the API's member. */
export function toMemberView(row: MemberRow): Member {
  return {
    userId: row.user_id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    status: row.status,
    createdAt: row.created_at,
    registeredAt: row.registered_at,
  };
}

/** A database row of an open invitation, as the invited user sees it. */
export interface InvitationRow {
  readonly tracker_id: string;
  readonly tracker_name: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly email: string | null;
  readonly display_name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Converts a row to the API's invitation. */
export function toInvitationView(row: InvitationRow): Invitation {
  return {
    trackerId: row.tracker_id,
    trackerName: row.tracker_name,
    role: row.role,
    invitedBy: { userId: row.invited_by, email: row.email, displayName: row.display_name },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
