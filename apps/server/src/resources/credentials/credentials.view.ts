import { type Credential, type Scope, secretPrefix } from '@centavo/contracts';

/** A database row of a credential, without its secret. */
export interface CredentialRow {
  readonly id: string;
  /** The id of the first credential of the rotation chain. The first credential has its own id here. */
  readonly lineage_id: string;
  readonly kind: Credential['kind'];
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly access_mode: Credential['access']['mode'];
  readonly tracker_ids: readonly string[];
  readonly default_tracker_id: string | null;
  readonly secret_last4: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly rotated_from: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

/** Converts a row to the API's credential. The status depends on the time, so it is not stored. */
export function toCredentialView(row: CredentialRow, now: Date): Credential {
  return {
    clientId: row.id,
    kind: row.kind,
    name: row.name,
    scopes: [...row.scopes],
    access: { mode: row.access_mode, trackerIds: [...row.tracker_ids] },
    defaultTrackerId: row.default_tracker_id,
    secretPrefix,
    secretLast4: row.secret_last4,
    status: credentialStatus(row, now),
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    rotatedFrom: row.rotated_from,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}

/**
 * Returns `revoked` for a revoked credential. For any other credential, returns `active` before its expiry and `expired` from then on.
 * @source docs/financial-integration-api.md, States and transitions
 */
export function credentialStatus(
  row: Pick<CredentialRow, 'revoked_at' | 'expires_at'>,
  now: Date,
): Credential['status'] {
  if (row.revoked_at !== null) return 'revoked';
  return new Date(row.expires_at) <= now ? 'expired' : 'active';
}
