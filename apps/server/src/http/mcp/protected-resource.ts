import { allTools } from '@centavo/mcp';
import type { Request, Router } from 'express';
import { ApiError } from '../../api-error.js';
import { sendJson } from '../response.js';
import { readOnlyRouter } from '../routes/read-only.js';

/** The issuer of tokens, and the number of proxies in front of the server. */
interface ResourceOptions {
  /** Null if the embedded identity provider is used: clients then use API keys. */
  readonly issuer: string | null;
  readonly proxyHops: number;
}

const metadataPrefix = '/.well-known/oauth-protected-resource';

/** Returns the router that serves the metadata in which a client finds the issuer of tokens. Source: RFC 9728 */
export function metadataRouter(options: ResourceOptions): Router {
  const pageOf = (path: string) => (request: Request, response: Parameters<typeof sendJson>[0]) =>
    sendJson(response, {
      status: 200,
      headers: {},
      body: {
        resource: originOf(request, options.proxyHops) + path,
        authorization_servers: [options.issuer],
        scopes_supported: scopesOf(path),
        bearer_methods_supported: ['header'],
        resource_name: 'Centavo',
      },
    });
  return readOnlyRouter({
    [`${metadataPrefix}/v1/mcp`]: pageOf('/v1/mcp'),
    [`${metadataPrefix}/v1/mcp/write`]: pageOf('/v1/mcp/write'),
  });
}

/**
 * If the error has status 401 and the server uses an external issuer, returns a copy of the error. The WWW-Authenticate header of the copy
 * also names the metadata URL and the scopes. Returns every other error unchanged.
 */
export function challengeOf(
  error: unknown,
  { options, request, path }: { readonly options: ResourceOptions; readonly request: Request; readonly path: string },
): unknown {
  if (!(error instanceof ApiError) || error.status !== 401 || options.issuer === null) return error;
  const metadata = `${originOf(request, options.proxyHops)}${metadataPrefix}${path}`;
  const challenge = `${error.headers['WWW-Authenticate']}, resource_metadata="${metadata}", scope="${scopesOf(path).join(' ')}"`;
  const { code, message, details, internalReason } = error;
  return new ApiError({
    code,
    message,
    details,
    headers: { ...error.headers, 'WWW-Authenticate': challenge },
    ...(internalReason === undefined ? {} : { internalReason }),
  });
}

/** Returns the scopes of all tools of an endpoint, each once. */
function scopesOf(path: string): readonly string[] {
  const tools = allTools.filter(({ kind }) => kind === 'read' || path.endsWith('/write'));
  return [...new Set(tools.flatMap(({ call }) => call.scopes))];
}

/** Returns the origin that the client used. Behind a trusted proxy, X-Forwarded-Proto can also set the scheme to https. */
function originOf(request: Request, proxyHops: number): string {
  const forwarded = proxyHops > 0 ? request.headers['x-forwarded-proto'] : undefined;
  const isHttps = 'encrypted' in request.socket || forwarded === 'https';
  return `${isHttps ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`;
}
