/** An OpenID provider that vouches for users instead of the embedded one. Source: contract, section 8. */
export interface ExternalIssuer {
  /** As it stands in `iss`, to the letter. */
  readonly issuer: string;
  readonly jwksUrl: string;
  /** What `aud` has to name. */
  readonly audience: string;
  /** Where it is asked whether a session is active (RFC 7662), and as whom. */
  readonly introspection: { readonly url: string; readonly clientId: string; readonly clientSecret: string };
}

/**
 * Reads the IDENTITY_* variables. All of them or none: without the issuer's word on sessions no key could be made, and a
 * variable that is set for nothing shows that the operator expects something else than the embedded provider.
 * @param present the environment without empty variables
 * @returns null without IDENTITY_ISSUER, and every mistake with the variable that it is in
 */
export function readExternalIssuer(present: Readonly<Record<string, string | undefined>>): {
  readonly issuer: ExternalIssuer | null;
  readonly mistakes: readonly string[];
} {
  const { IDENTITY_ISSUER: issuer } = present;
  if (issuer === undefined) {
    const set = companions.filter((name) => present[name] !== undefined);
    return { issuer: null, mistakes: set.map((name) => `${name} is set without IDENTITY_ISSUER`) };
  }
  const mistakes = companions
    .filter((name) => present[name] === undefined)
    .map((name) => `${name} is missing: IDENTITY_ISSUER needs it`);
  for (const name of addresses) {
    const value = present[name];
    if (value !== undefined && !isSafeAddress(value)) {
      mistakes.push(
        `${name} is not an https:// address (http:// only to loopback) without user, password and fragment`,
      );
    }
  }
  if (present.DEMO === 'on') mistakes.push('DEMO=on needs the embedded identity provider: unset IDENTITY_ISSUER');
  return {
    issuer: {
      issuer,
      jwksUrl: present.IDENTITY_JWKS_URL ?? '',
      audience: present.IDENTITY_AUDIENCE ?? '',
      introspection: {
        url: present.IDENTITY_INTROSPECTION_URL ?? '',
        clientId: present.IDENTITY_CLIENT_ID ?? '',
        clientSecret: present.IDENTITY_CLIENT_SECRET ?? '',
      },
    },
    mistakes,
  };
}

const companions = [
  'IDENTITY_JWKS_URL',
  'IDENTITY_AUDIENCE',
  'IDENTITY_INTROSPECTION_URL',
  'IDENTITY_CLIENT_ID',
  'IDENTITY_CLIENT_SECRET',
] as const;

const addresses = ['IDENTITY_ISSUER', 'IDENTITY_JWKS_URL', 'IDENTITY_INTROSPECTION_URL'] as const;

/** Keys and verdicts that came over a line which others can write on would be theirs. */
function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}
