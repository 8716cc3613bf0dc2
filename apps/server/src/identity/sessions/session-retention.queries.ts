import type { Sweep } from '../../database/hourly-sweeps.js';
import { query } from '../../database/query.js';
import { assumeIdentityRole } from '../identity-transaction.queries.js';

// Used refresh tokens are kept while their session is active, so that the server detects a second use and ends the session. All refresh
// tokens are kept for one week after the session has ended or expired, so that a client with an unused refresh token gets SESSION_INACTIVE
// or CREDENTIAL_EXPIRED instead of CREDENTIAL_INVALID.
const isOld = `least(s.expires_at, s.ended_at) < now() - interval '7 days'`;

/**
 * Removes the refresh tokens of sessions that ended or expired more than a week ago. This sweep runs before the sweep of sessions, because
 * the rows of refresh tokens reference the rows of sessions.
 */
const oldRefreshTokens: Sweep = {
  name: 'refresh tokens of old sessions',
  async removeBatch(tx, batch) {
    await assumeIdentityRole(tx);
    const removed = await query(
      tx,
      `delete from identity.refresh_tokens where ctid = any (array(
         select r.ctid from identity.sessions s join identity.refresh_tokens r on r.session_id = s.id
         where ${isOld} limit :batch for update of r skip locked))
       returning 1`,
      { batch },
    );
    return removed.length;
  },
};

/** Removes sessions that ended or expired more than a week ago and have no refresh tokens left. */
const oldSessions: Sweep = {
  name: 'old sessions',
  async removeBatch(tx, batch) {
    await assumeIdentityRole(tx);
    const removed = await query(
      tx,
      `delete from identity.sessions where ctid = any (array(
         select s.ctid from identity.sessions s
         where ${isOld} and not exists (select 1 from identity.refresh_tokens r where r.session_id = s.id)
         limit :batch for update skip locked))
       returning 1`,
      { batch },
    );
    return removed.length;
  },
};

/** The sweeps that remove old sessions, in the required order. */
export const sessionSweeps: readonly Sweep[] = [oldRefreshTokens, oldSessions];
