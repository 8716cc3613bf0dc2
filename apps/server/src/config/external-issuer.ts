/** An OpenID provider that authenticates users instead of the embedded provider. Source: docs/contract.md, section 8. */
export interface ExternalIssuer {
  /** The identifier of the issuer. The claim `iss` of each token must be exactly this text. */
  readonly issuer: string;
  readonly jwksUrl: string;
  /** The audience that the claim `aud` of each token must contain. */
  readonly audience: string;
  /** The endpoint that reports whether a session is active (RFC 7662), and the client credentials for calling it. */
  readonly introspection: { readonly url: string; readonly clientId: string; readonly clientSecret: string };
}

/**
 * Reads the IDENTITY_* variables. Either all or none of them must be set. The variables for introspection are required too, because the
 * server creates an API key only if the issuer reports that the user's session is active. If variables are set without
 * IDENTITY_ISSUER, they are reported as problems and not ignored, because the operator who set them expects an external issuer.
 * @param present the environment without empty variables
 * @returns `issuer`, which is null if IDENTITY_ISSUER is not set, and `problems`, each with the name of its variable
 */
export function readExternalIssuer(present: Readonly<Record<string, string | undefined>>): {
  readonly issuer: ExternalIssuer | null;
  readonly problems: readonly string[];
} {
  const { IDENTITY_ISSUER: issuer } = present;
  if (issuer === undefined) {
    const set = namesRequiredWithIssuer.filter((name) => present[name] !== undefined);
    return { issuer: null, problems: set.map((name) => `${name} is set without IDENTITY_ISSUER`) };
  }
  const problems = namesRequiredWithIssuer
    .filter((name) => present[name] === undefined)
    .map((name) => `${name} is missing: IDENTITY_ISSUER needs it`);
  for (const name of urlNames) {
    const value = present[name];
    if (value !== undefined && !isSafeUrl(value)) {
      problems.push(
        `${name} must be an https:// URL without user, password and fragment (http:// is allowed to loopback only)`,
      );
    }
  }
  if (present.DEMO === 'on') problems.push('DEMO=on needs the embedded identity provider: unset IDENTITY_ISSUER');
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
    problems,
  };
}

const namesRequiredWithIssuer = [
  'IDENTITY_JWKS_URL',
  'IDENTITY_AUDIENCE',
  'IDENTITY_INTROSPECTION_URL',
  'IDENTITY_CLIENT_ID',
  'IDENTITY_CLIENT_SECRET',
] as const;

const urlNames = ['IDENTITY_ISSUER', 'IDENTITY_JWKS_URL', 'IDENTITY_INTROSPECTION_URL'] as const;

/**
 * Returns true if a URL uses HTTPS (or HTTP to loopback) and has no user, password or fragment. Over HTTP to another host, an attacker
 * could forge introspection results and the keys of the issuer.
 */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}
