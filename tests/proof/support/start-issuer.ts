import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signToken } from './sign-token.js';

/** The behaviours of the issuer: correct, and the typical failures of issuers. */
export const issuerBehaviours = [
  'working',
  'down',
  'hanging',
  'empty',
  'huge',
  'failing',
  'no JSON',
  'redirecting',
] as const;
export type IssuerBehaviour = (typeof issuerBehaviours)[number];

/** A key of the issuer with its published id. */
export interface IssuerKey {
  readonly kid: string;
  readonly algorithm: 'RS256' | 'ES256';
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A fake OpenID provider with the endpoints that the server uses. A test can make it fail. */
export interface Issuer {
  readonly origin: string;
  readonly audience: string;
  /** The settings of a server that uses this issuer. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The times when the server fetched the keys, in milliseconds since 1970. A server with a movable clock sends its own time.
   */
  readonly keyFetchesAtMs: readonly number[];
  /** The number of introspection requests. */
  readonly introspections: () => number;
  /** The number of requests for URLs that only forged tokens name. */
  readonly decoyRequests: () => number;
  publish(...keys: readonly IssuerKey[]): void;
  answerKeys(behaviour: IssuerBehaviour): void;
  /** Sets a behaviour for introspection requests, or a fixed response for all of them. */
  answerSessions(answer: IssuerBehaviour | { readonly body: unknown }): void;
  close(): Promise<void>;
}

const hugeBytes = 10 * 1024 * 1024;

/** Creates a new key. */
export function newIssuerKey(algorithm: IssuerKey['algorithm'] = 'ES256'): IssuerKey {
  const pair =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: randomUUID(), algorithm, ...pair };
}

/** Returns a token that the server accepts while it trusts the key. @param changes changed claims */
export function issueToken(issuer: Issuer, key: IssuerKey, changes: Readonly<Record<string, unknown>> = {}): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const header = { alg: key.algorithm, kid: key.kid, typ: 'JWT' };
  const identity = { iss: issuer.origin, aud: issuer.audience, sub: 'proof|user', session_id: 'session' };
  const claims = { ...identity, iat: nowSeconds, exp: nowSeconds + 3_600, ...changes };
  return signToken({ header, claims }, { by: 'key', key: key.privateKey });
}

/** Starts the issuer on 127.0.0.1 without a key. */
export async function startIssuer(): Promise<Issuer> {
  let published: readonly IssuerKey[] = [];
  let keysBehaviour: IssuerBehaviour = 'working';
  let sessionsAnswer: IssuerBehaviour | { readonly body: unknown } = { body: { active: true } };
  let introspections = 0;
  let decoyRequests = 0;
  const keyFetchesAtMs: number[] = [];

  const server = createServer((request, response) => {
    if (request.url === '/jwks') {
      keyFetchesAtMs.push(Number(request.headers['x-proof-clock'] ?? Date.now()));
      const keys = published.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' }));
      answerAs(keysBehaviour, { keys }, response);
    } else if (request.url === '/sessions') {
      introspections += 1;
      request.resume();
      if (typeof sessionsAnswer === 'object') answerAs('working', sessionsAnswer.body, response);
      else answerAs(sessionsAnswer, { active: true }, response);
    } else {
      decoyRequests += 1;
      answerAs('working', { keys: [] }, response);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const audience = 'https://api.example.org';
  return {
    origin,
    audience,
    env: {
      IDENTITY_ISSUER: origin,
      IDENTITY_JWKS_URL: `${origin}/jwks`,
      IDENTITY_AUDIENCE: audience,
      IDENTITY_INTROSPECTION_URL: `${origin}/sessions`,
      IDENTITY_CLIENT_ID: 'centavo',
      IDENTITY_CLIENT_SECRET: randomUUID(),
    },
    keyFetchesAtMs,
    introspections: () => introspections,
    decoyRequests: () => decoyRequests,
    publish(...keys) {
      published = keys;
    },
    answerKeys(behaviour) {
      keysBehaviour = behaviour;
    },
    answerSessions(answer) {
      sessionsAnswer = answer;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answerAs(behaviour: IssuerBehaviour, document: unknown, response: ServerResponse<IncomingMessage>): void {
  const json = { 'Content-Type': 'application/json' };
  switch (behaviour) {
    case 'working':
      response.writeHead(200, json).end(JSON.stringify(document));
      return;
    case 'down':
      response.destroy();
      return;
    case 'hanging':
      // Sends the headers and the first byte of the body, but never the rest, so that a client without a body timeout waits forever.
      response.writeHead(200, json).write('{');
      return;
    case 'empty':
      response.writeHead(200, json).end('{"keys":[]}');
      return;
    case 'huge':
      response.writeHead(200, json).end(JSON.stringify({ ...(document as object), padding: 'x'.repeat(hugeBytes) }));
      return;
    case 'failing':
      response.writeHead(500, json).end('{"error":"server_error"}');
      return;
    case 'no JSON':
      response.writeHead(200, json).end('<html>Log in to continue</html>');
      return;
    case 'redirecting':
      response.writeHead(302, { Location: '/elsewhere' }).end();
  }
}
