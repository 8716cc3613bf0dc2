import type { Session } from '@centavo/contracts';
import type { SessionRow } from './sessions.queries.js';

/** A session as its user gets it; the only place where the refresh token is ever shown. */
export function toSessionView(opened: {
  readonly session: SessionRow;
  readonly access: { readonly accessToken: string; readonly expiresAt: Date };
  readonly refreshToken: string;
  readonly totpEnrolled: boolean;
}): Session {
  return {
    sessionId: opened.session.id,
    accessToken: opened.access.accessToken,
    tokenType: 'Bearer',
    expiresAt: opened.access.expiresAt.toISOString(),
    refreshToken: opened.refreshToken,
    refreshExpiresAt: opened.session.expiresAt.toISOString(),
    totpEnrolled: opened.totpEnrolled,
  };
}
