import type { Member, Role } from '@centavo/contracts';

/** A member or an invited user as the database keeps them, with who that is. */
export interface MemberRow {
  readonly user_id: string;
  readonly email: string | null;
  readonly display_name: string | null;
  readonly role: Role;
  readonly status: Member['status'];
  readonly created_at: string;
  readonly registered_at: string;
}

/** A row as the API shows it. */
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
