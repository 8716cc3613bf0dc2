import { UsageError } from '../errors/usage-errors.js';

/**
 * The root of the server behind a base URL, without a slash at its end: `http://127.0.0.1:8080/v1/financial` and
 * `http://127.0.0.1:8080/` both give `http://127.0.0.1:8080`. A path in front, as a proxy may ask for, is kept.
 * @throws UsageError for a URL that is none, carries credentials or a query, or would send the token in the clear
 */
export function serverRootOf(baseUrl: string, allowInsecure: boolean): string {
  const url = parse(baseUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UsageError('baseUrl must be https:// or http://');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('baseUrl must be without credentials, query and fragment');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecure) {
    throw new UsageError('baseUrl is http:// to another machine, where the token could be read; use https://');
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

// URL has already written the address in its one canonical form, so `127.1` and `0x7f000001` are seen too. Names below
// `localhost` are not this machine for certain: not every resolver keeps from asking the network for them.
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
