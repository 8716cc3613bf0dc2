import { isConnectionError, isOutcomeUnknownError } from '@centavo/sdk';
import type { ProxySetting } from './proxy-settings.js';

type ProxyFailureCode = 'PROXY_UNREACHABLE' | 'PROXY_AUTHENTICATION' | 'PROXY_REFUSED';

/**
 * The error of a proxy that was not reached, or that refused to connect to the server. The SDK recognizes by `syscall`
 * that no request was sent.
 */
class ProxyError extends Error {
  readonly code: ProxyFailureCode;
  readonly syscall = 'connect';

  constructor(code: ProxyFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The error of a CONNECT request without a response: the proxy could not be reached, or closed the connection. */
export class TunnelError extends Error {
  /** The code of undici or Node, such as UND_ERR_SOCKET for a closed connection. */
  readonly reason: string;

  constructor(cause: NodeJS.ErrnoException) {
    super('The proxy did not open a tunnel', { cause });
    this.reason = cause.code ?? cause.name;
  }
}

/**
 * Converts an error of `fetch` to a ProxyError if the proxy caused it, and returns any other error unchanged. The message of
 * a ProxyError does not contain the user or the password of the proxy.
 */
export function toProxyFailure(error: unknown, { url, variable }: ProxySetting): unknown {
  const named = `The proxy at ${url.host} (${variable})`;
  const chain = causesOf(error);
  const status = chain.map(({ message }) => refusalPattern.exec(String(message))?.[1]).find((text) => text);
  if (status === '407') {
    const reason = url.password === '' ? 'requires a user and a password' : 'refused the user and the password';
    return new ProxyError('PROXY_AUTHENTICATION', `${named} ${reason} (407).`);
  }
  if (status !== undefined) {
    return new ProxyError('PROXY_REFUSED', `${named} refused to connect to the server (${status}).`);
  }
  const unreached = chain.find(({ code, syscall }) => connectCalls.has(syscall) || code === 'UND_ERR_CONNECT_TIMEOUT');
  if (unreached !== undefined) {
    return new ProxyError('PROXY_UNREACHABLE', `${named} could not be reached (${unreached.code}).`);
  }
  const tunnel = chain.find((link) => link instanceof TunnelError);
  if (tunnel === undefined) return error;
  return new ProxyError('PROXY_UNREACHABLE', `${named} did not open a tunnel to the server (${tunnel.reason}).`);
}

/** Matches two messages of undici: `Proxy response` for a tunnel, `Proxy Authentication Required` for http:// without a tunnel. */
const refusalPattern = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

/**
 * The values of `syscall` in Node's errors for a connection that could not be opened. A request that uses a proxy connects
 * only to the proxy, so these errors mean that the proxy could not be reached.
 */
const connectCalls: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

interface Link {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/**
 * Returns an error and its causes. If a host has several addresses, there is one error for each address; only the first
 * error is followed.
 */
function causesOf(error: unknown): readonly Link[] {
  const chain: Link[] = [];
  for (let link = error as Link | null | undefined; link && chain.length < 5; ) {
    chain.push(link);
    link = (link.cause ?? (Array.isArray(link.errors) ? link.errors[0] : undefined)) as Link | undefined;
  }
  return chain;
}

const remedies: Readonly<Record<ProxyFailureCode, string>> = {
  PROXY_UNREACHABLE: 'Check the address of the proxy and that the proxy runs, or exclude the server with NO_PROXY.',
  PROXY_AUTHENTICATION:
    'Put the user and the password of the proxy into the URL of the variable: http://user:password@host:port.',
  PROXY_REFUSED:
    'Check that the server is running and that the proxy allows connections to the server, or exclude the server with NO_PROXY.',
};

/** Returns the proxy failure that caused an error of the SDK, or undefined if no proxy failure caused it. */
export function findProxyFailure(
  error: unknown,
): { readonly code: ProxyFailureCode; readonly message: string; readonly remedy: string } | undefined {
  if (isOutcomeUnknownError(error)) return findProxyFailure(error.cause);
  if (!isConnectionError(error) || !(error.cause instanceof Error)) return undefined;
  const { code, message } = error.cause as NodeJS.ErrnoException;
  if (code === undefined || !isProxyFailureCode(code)) return undefined;
  return { code, message, remedy: remedies[code] };
}

function isProxyFailureCode(code: string): code is ProxyFailureCode {
  return Object.hasOwn(remedies, code);
}
