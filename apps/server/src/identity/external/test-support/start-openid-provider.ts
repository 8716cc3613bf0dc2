import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

/** How a user logs in at the provider, and the user's profile there. */
export interface LogIn {
  readonly subject: string;
  /** The authentication methods of the login, as in the claim `amr` (RFC 8176), such as `['pwd', 'otp']`. */
  readonly amr: readonly string[];
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>;

const audience = 'https://api.example.org';
const redirectUri = 'https://web.example.org/callback';
const web = { id: 'web', secret: randomUUID() };
const api = { id: 'the api', secret: `${randomUUID()}+ & 100 %:` };

/** The lifetime of the provider's access tokens, in seconds. */
export const tokenSeconds = 300;

/**
 * Starts an OpenID provider in this process on 127.0.0.1. Users log in through the authorization code flow as in a browser. The access
 * tokens are JWTs with `sid`, `amr` and `auth_time`.
 */
export async function startOpenIdProvider() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const logIns = new Map<string, LogIn>();
  // Maps the `jti` of each JWT to an opaque token of the same grant and session, because this provider introspects only opaque tokens.
  const opaqueTokens = new Map<string, string>();
  const introspections: string[] = [];

  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const configuration: Configuration = {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'ES256', use: 'sig' } as never] },
    clients: [
      {
        client_id: web.id,
        client_secret: web.secret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
      {
        client_id: api.id,
        client_secret: api.secret,
        redirect_uris: [],
        grant_types: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    cookies: { keys: [randomUUID()] },
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: (_context, client) => client.clientId === api.id },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'money',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    findAccount: (_context, subject) => ({ accountId: subject, claims: () => ({ sub: subject }) }),
    formats: {
      customizers: {
        async jwt(context, token, jwt) {
          const code = context.oidc.entities.AuthorizationCode;
          const { sessionUid, grantId, accountId, client } = token as InstanceType<Provider['AccessToken']>;
          const logIn = logIns.get(accountId);
          Object.assign(jwt.payload as object, {
            sid: sessionUid,
            amr: code?.amr,
            auth_time: code?.authTime,
            email: logIn?.email,
            email_verified: logIn?.emailVerified,
            name: logIn?.name,
          });
          const opaqueToken = new provider.AccessToken({
            accountId,
            client,
            grantId,
            sessionUid,
            scope: 'openid',
          } as never);
          opaqueTokens.set((jwt.payload as { jti: string }).jti, await opaqueToken.save());
        },
      },
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid');
      grant.addResourceScope(audience, 'money');
      await grant.save();
      return grant;
    },
    ttl: {
      Session: 3600,
      Grant: 3600,
      Interaction: 600,
      AuthorizationCode: 60,
      AccessToken: tokenSeconds,
      IdToken: 3600,
    },
  };
  const provider = new Provider(issuer, configuration);
  const serveProvider = provider.callback();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/interaction/')) {
      const { params } = await provider.interactionDetails(request, response);
      const { subject, amr } = logIns.get(String(params.login_hint)) as LogIn;
      await provider.interactionFinished(request, response, { login: { accountId: subject, amr: [...amr] } });
    } else if (request.url === '/introspect-jwt') {
      const answer = await introspect(request);
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
    } else {
      await serveProvider(request, response);
    }
  }
  server.on('request', (request, response) => void serve(request, response));

  /** Introspects a JWT: sends the opaque token of the same session to the provider, with the credentials of the caller. */
  async function introspect(request: IncomingMessage): Promise<Response> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    introspections.push(form.get('token') ?? '');
    form.set('token', opaqueTokens.get(decodeJwt(form.get('token') ?? '').jti ?? '') ?? 'unknown');
    const headers = { Authorization: request.headers.authorization ?? '' };
    return fetch(`${issuer}/token/introspection`, { method: 'POST', headers, body: form });
  }

  return {
    /** The environment variables of a Centavo server that uses this provider. */
    env: {
      IDENTITY_ISSUER: issuer,
      IDENTITY_JWKS_URL: `${issuer}/jwks`,
      IDENTITY_AUDIENCE: audience,
      IDENTITY_INTROSPECTION_URL: `${issuer}/introspect-jwt`,
      IDENTITY_CLIENT_ID: api.id,
      IDENTITY_CLIENT_SECRET: api.secret,
    },
    /** The tokens that were introspected, oldest first. */
    introspections,
    /** Logs a user in and returns the access token. */
    async logIn(logIn: LogIn): Promise<string> {
      logIns.set(logIn.subject, logIn);
      return exchangeCode(issuer, await walkToCallback(issuer, logIn.subject));
    },
    /** Revokes the grant of a token's session, as an administrator does. */
    async revoke(token: string): Promise<void> {
      const opaque = await provider.AccessToken.find(opaqueTokens.get(decodeJwt(token).jti ?? '') ?? '');
      const grant = await provider.Grant.find(opaque?.grantId ?? '');
      if (grant === undefined) throw new Error('There is no such grant');
      await grant.destroy();
    },
    async goDown(): Promise<void> {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
    async comeBack(): Promise<void> {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    },
  };
}

/** Follows the redirects of a login, and keeps cookies as a browser does. Returns the authorization code of the last redirect. */
async function walkToCallback(issuer: string, subject: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL('/auth', issuer);
  const parameters = { client_id: web.id, response_type: 'code', redirect_uri: redirectUri, login_hint: subject };
  url.search = new URLSearchParams({ ...parameters, scope: 'openid money', resource: audience }).toString();
  while (!url.href.startsWith(redirectUri)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { Cookie: cookie } });
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    url = new URL(location, url);
  }
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`The login failed: ${url.search}`);
  return code;
}

async function exchangeCode(issuer: string, code: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${web.id}:${web.secret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      resource: audience,
    }),
  });
  const answer = (await response.json()) as { access_token?: string };
  if (answer.access_token === undefined) throw new Error(`The provider gave no token: ${JSON.stringify(answer)}`);
  return answer.access_token;
}
