import { UsageError } from '../errors/usage-errors.js';

/**
 * Returns the root of the server from a base URL, without a final slash: `http://127.0.0.1:8080` for
 * `http://127.0.0.1:8080/v1/financial` and for `http://127.0.0.1:8080/`. A path prefix, which a proxy may require, is part
 * of the root.
 * @throws UsageError for a URL that is invalid, has a scheme other than `https:` and `http:`, or has credentials, a query or a fragment
 * @throws UsageError for `http:` to another machine without `allowInsecure`, because the token would be sent unencrypted
 */
export function serverRootOf(baseUrl: string, allowInsecure: boolean): string {
  const url = parse(baseUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UsageError('baseUrl must be https:// or http://');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('baseUrl must have no credentials, query or fragment');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecure) {
    throw new UsageError('baseUrl is http:// to another machine, so the token would be sent unencrypted; use https://');
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1\/financial$/, '');
}

function parse(baseUrl: string): URL {
  try {
    return new URL(baseUrl);
  } catch {
    throw new UsageError('baseUrl is not a URL');
  }
}

// `URL` has converted the address to its canonical form, so `127.1` and `0x7f000001` count as loopback too. Subdomains of `localhost`
// do not count: some resolvers query the network for these names, so a name may belong to another machine.
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
