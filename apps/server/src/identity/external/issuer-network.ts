import { EnvHttpProxyAgent } from 'undici';
import { bodyBytesMax, type Network, timeoutMs } from './fetch-small-json.js';

/** The maximum size of response headers, which is Node's default. */
const headerBytesMax = 16 * 1024;

/**
 * Creates the HTTP client for the issuer: the global `fetch` with a separate connection pool. The pool uses the proxies in `HTTPS_PROXY`
 * and `HTTP_PROXY`, except for the hosts in `NO_PROXY`. It limits the time to connect, to receive the headers, and to receive each part of
 * the body. It also limits the size of headers and body. If a request exceeds one of these limits, its connection is also closed. The abort
 * signal of a request is not enough, because it leaves an unfinished TLS handshake open.
 * @param limitMs the limit for each of these times, in milliseconds; tests set a shorter limit
 */
export function openIssuerNetwork(limitMs = timeoutMs): Network {
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: limitMs },
    headersTimeout: limitMs,
    bodyTimeout: limitMs,
    maxHeaderSize: headerBytesMax,
    maxResponseSize: bodyBytesMax,
  });
  return {
    // The types of the global fetch expect the Dispatcher of Node's own undici, which is older than the package `undici`.
    fetch: (url, init) => fetch(url, { ...init, dispatcher } as unknown as RequestInit),
    timeoutSignal: (ms) => AbortSignal.timeout(ms),
  };
}
