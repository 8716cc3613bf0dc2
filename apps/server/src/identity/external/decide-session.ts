import type { SessionClaims } from '../../auth/principal.js';

/**
 * What an introspection answer says of a session: active, inactive, or nothing clear. An answer about somebody else or
 * another session is a no. Pure. Source: RFC 7662, section 2.2
 */
export function decideSession(
  answer: unknown,
  claims: Pick<SessionClaims, 'issuer' | 'subject' | 'sessionId'>,
): 'active' | 'inactive' | 'unclear' {
  if (answer === null || typeof answer !== 'object') return 'unclear';
  const { active, sub, iss, sid, session_id: sessionId = sid } = answer as Record<string, unknown>;
  if (typeof active !== 'boolean') return 'unclear';
  // All three are optional in the answer.
  const isOther =
    (sub !== undefined && sub !== claims.subject) ||
    (iss !== undefined && iss !== claims.issuer) ||
    (sessionId !== undefined && sessionId !== claims.sessionId);
  return active && !isOther ? 'active' : 'inactive';
}
