import { type ApiError, serviceUnavailable } from '../../api-error.js';
import type { SessionClaims } from '../../auth/principal.js';
import type { ExternalIssuer } from '../../config/external-issuer.js';
import { sessionInactive } from '../identity-errors.js';
import { describeFailure, fetchSmallJson, type Network } from './fetch-small-json.js';

/**
 * Introspects a token at the issuer, and requires that its session is active now. The result is never cached.
 * @throws SESSION_INACTIVE (401) if the session is not active
 * @throws SERVICE_UNAVAILABLE (503) if the issuer is unavailable or slow, or if its response does not show whether the session is active.
 *
 * @source docs/contract.md, section 10a; RFC 7662
 */
export async function requireActiveSession(request: {
  readonly network: Network;
  readonly introspection: ExternalIssuer['introspection'];
  readonly token: string;
  readonly claims: SessionClaims;
}): Promise<void> {
  const { network, introspection, token, claims } = request;
  const response = await fetchSmallJson({
    network,
    url: introspection.url,
    post: {
      headers: { Authorization: basicCredentials(introspection) },
      form: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    },
  }).catch((cause: unknown) => {
    throw introspectionFailed(describeFailure('IDENTITY_INTROSPECTION_URL', cause), cause);
  });
  const state = decideSessionState(response, claims);
  if (state === 'unclear') throw introspectionFailed('IDENTITY_INTROSPECTION_URL answered without a boolean "active"');
  if (state === 'inactive') throw sessionInactive();
}

/** Returns the 503 error for a failed introspection. Only the log contains the cause, because the caller cannot fix the cause. */
function introspectionFailed(internalReason: string, cause?: unknown): ApiError {
  const message =
    'The identity provider did not report the state of this session. Nothing was done. Try again later. If the error ' +
    'persists, contact the operator of this server.';
  return serviceUnavailable({ internalReason, cause, message });
}

/**
 * Returns the value of the Authorization header with this server's client ID and client secret. Both are percent-encoded before they are
 * joined with a colon, because either may contain a colon.
 * @source RFC 6749, section 2.3.1
 */
function basicCredentials({ clientId, clientSecret }: ExternalIssuer['introspection']): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/**
 * Decides from an introspection response whether a session is active. Returns `unclear` if the response contains no boolean `active`,
 * and `inactive` if the response is about another issuer, user or session. Pure.
 * @source RFC 7662, section 2.2
 */
export function decideSessionState(
  response: unknown,
  claims: Pick<SessionClaims, 'issuer' | 'subject' | 'sessionId'>,
): 'active' | 'inactive' | 'unclear' {
  if (response === null || typeof response !== 'object') return 'unclear';
  const { active, sub, iss, sid, session_id: sessionId = sid } = response as Record<string, unknown>;
  if (typeof active !== 'boolean') return 'unclear';
  // The subject, the issuer and the session are optional in the response.
  const isOther =
    (sub !== undefined && sub !== claims.subject) ||
    (iss !== undefined && iss !== claims.issuer) ||
    (sessionId !== undefined && sessionId !== claims.sessionId);
  return active && !isOther ? 'active' : 'inactive';
}
