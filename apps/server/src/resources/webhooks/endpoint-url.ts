import type { Issue } from '@centavo/contracts';
import { findLiteralAddress, isAllowedAddress, type Network } from './public-address.js';

/** The rules of the operator for the URLs of endpoints. */
export interface UrlPolicy {
  /** True if `http:` and port 80 are allowed too. */
  readonly allowsHttp: boolean;
  /** Networks that are allowed although they are not public. */
  readonly networks: readonly Network[];
}

/**
 * Returns an issue if the server would not deliver to a URL, otherwise undefined. Pure: host names are not resolved here, but only
 * when a connection is made.
 * @param text a URL that the schema of the request accepts
 * @source docs/additions.md, section 5.1
 */
export function findUrlIssue(text: string, { allowsHttp, networks }: UrlPolicy): Issue | undefined {
  const { protocol, port: portText, hostname } = new URL(text);
  const issue = (code: Issue['code'], message: string) => ({ path: 'url', code, message });
  if (protocol !== 'https:' && !allowsHttp) return issue('INVALID_FORMAT', 'Send an https: URL.');
  const port = portText === '' ? (protocol === 'https:' ? 443 : 80) : Number(portText);
  if (port !== 443 && port < 1024 && !(allowsHttp && port === 80)) {
    return issue('OUT_OF_RANGE', `Use port ${allowsHttp ? '80, 443' : '443'}, or a port of at least 1024.`);
  }
  const address = findLiteralAddress(hostname);
  if (address !== undefined && !isAllowedAddress(address, networks)) {
    return issue('ADDRESS_NOT_ALLOWED', `${address} is not a public address. Send the URL of a public host.`);
  }
  return undefined;
}
