import { type ApiError, serviceUnavailable } from '../../api-error.js';
import type { SessionClaims } from '../../auth/principal.js';
import type { ExternalIssuer } from '../../config/external-issuer.js';
import { sessionInactive } from '../identity-errors.js';
import { describeFailure, fetchSmallJson, type Network } from './fetch-small-json.js';

/**
 * Asks the issuer whether the session behind a token is active now; never cached, and no answer is a no for the moment.
 * @throws SESSION_INACTIVE (401)
 * @throws SERVICE_UNAVAILABLE (503) when the issuer is away, slow, or answers something else. Source: contract, section
 *   10a; RFC 7662
 */
export async function askActiveSession(request: {
  readonly network: Network;
  readonly introspection: ExternalIssuer['introspection'];
  readonly token: string;
  readonly claims: SessionClaims;
}): Promise<void> {
  const { network, introspection, token, claims } = request;
  const answer = await fetchSmallJson({
    network,
    url: introspection.url,
    post: {
      headers: { Authorization: basicCredentials(introspection) },
      form: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    },
  }).catch((cause: unknown) => {
    throw sessionUnclear(describeFailure('IDENTITY_INTROSPECTION_URL', cause), cause);
  });
  const verdict = decideSession(answer, claims);
  if (verdict === 'unclear') throw sessionUnclear('IDENTITY_INTROSPECTION_URL answered without "active"');
  if (verdict === 'inactive') throw sessionInactive();
}

/** It may be an outage or a setting, and which of the two is in the log: the caller can do nothing about either. */
function sessionUnclear(internalReason: string, cause?: unknown): ApiError {
  const message =
    'The identity provider did not say whether this session is active, and nothing was done. Try again later; if it goes ' +
    'on, tell whoever runs this server.';
  return serviceUnavailable({ internalReason, cause, message });
}

/** RFC 6749, section 2.3.1: both parts are encoded before they are joined, so that a colon in one of them parts nothing. */
function basicCredentials({ clientId, clientSecret }: ExternalIssuer['introspection']): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

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
