import { type CallContract, calls, type HttpMethod } from '@centavo/contracts/calls';
import type { CallOptions } from './call-options.js';
import { UsageError } from './errors/usage-errors.js';
import type { CallRequest, CallShape, Query } from './transport/call-request.js';

/** A call by method and path, for what the client has no method for. */
export interface RawRequest extends CallOptions {
  readonly method: HttpMethod;
  /** Below the API (`/movements`), or from the server's root if it begins with `/v1/`, `/health/` or a dot file. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** For `If-Match`. */
  readonly etag?: string | undefined;
}

/**
 * The call behind a raw request. It is looked up in the contracts, because only they say whether the server honours a key
 * there and thus whether a write may be sent again; a write that they do not name is sent once.
 * @throws UsageError for a path that is none
 */
export function callOfRawRequest(raw: RawRequest): CallRequest {
  const { method, path, query, body, etag, ...options } = raw;
  if (!/^\/(?!\/)[^?#\\\s]*$/.test(path) || path.split('/').some((part) => part === '.' || part === '..')) {
    throw new UsageError('path must begin with one slash and be without query, dots and spaces');
  }
  const fullPath = /^\/(v1\/|health\/|\.well-known\/|metrics$|openapi\.json$)/.test(path)
    ? path
    : `/v1/financial${path}`;
  return { call: shapeOf(method, fullPath), query, body, etag, options };
}

function shapeOf(method: HttpMethod, path: string): CallShape {
  const known = Object.values<CallContract>(calls).find(
    (call) => call.method === method && pathPattern(call).test(path),
  );
  const unknown: Omit<CallShape, 'method' | 'base' | 'path'> = {
    name: 'request',
    caller: path.startsWith('/v1/') ? 'principal' : 'anyone',
    tracker: path.startsWith('/v1/financial/') ? 'required' : 'none',
    idempotency: 'ignored',
  };
  return { ...(known ?? unknown), method, base: '', path };
}

function pathPattern({ base, path }: Pick<CallContract, 'base' | 'path'>): RegExp {
  return new RegExp(`^${base}${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
