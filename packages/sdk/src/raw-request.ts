import { type CallContract, calls, type HttpMethod } from '@centavo/contracts/calls';
import type { CallOptions } from './call-options.js';
import { UsageError } from './errors/usage-errors.js';
import type { CallRequest, CallShape, Query } from './transport/call-request.js';

/** A request by HTTP method and path, for operations for which the client has no dedicated method. */
export interface RawRequest extends CallOptions {
  readonly method: HttpMethod;
  /**
   * A path below `/v1/financial`, such as `/movements`. Paths that begin with `/v1/`, `/health/` or `/.well-known/`, and the
   * paths `/metrics` and `/openapi.json`, are below the server's root instead.
   */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** The value of the header `If-Match`. */
  readonly etag?: string | undefined;
}

/**
 * Converts a raw request to the call that the client sends. For a write that `@centavo/contracts` declares with an idempotency key, the
 * client sends a key and may retry the write. The client retries all other writes only after 429.
 * @throws UsageError if the path is invalid
 */
export function callOfRawRequest(raw: RawRequest): CallRequest {
  const { method, path, query, body, etag, ...options } = raw;
  if (!/^\/(?!\/)[^?#\\\s]*$/.test(path) || path.split('/').some((part) => part === '.' || part === '..')) {
    throw new UsageError('path must begin with one slash and have no query, dot segments or spaces');
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
