import type { Role, Tracker } from '@centavo/contracts';

/** A tracker as the database keeps it, with the caller's place in it. */
export interface TrackerRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly currency_code: string;
  readonly time_zone: string;
  /** Whether the principal has stored it as its active, and as its default tracker. */
  readonly is_active: boolean;
  readonly is_default: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A row as the API shows it. */
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
