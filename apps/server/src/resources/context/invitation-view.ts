import type { Invitation, Role } from '@centavo/contracts';

/** An open invitation as the database gives it to the invited user. */
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

/** A row as the API shows it. */
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
