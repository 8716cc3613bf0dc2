import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address that a request came from: the socket's, or behind proxies the one that the outermost of them saw. Each
 * proxy appends whom it heard from to X-Forwarded-For, so with `proxyHops` of them that is the entry so many from the
 * right; what stands left of it anybody can write. Source: contract, section 10
 * @returns an IP address, or an empty text when the socket is closed already
 */
export function clientAddress(request: IncomingMessage, proxyHops: number): string {
  const socketAddress = request.socket.remoteAddress ?? '';
  if (proxyHops === 0) return socketAddress;
  const forwarded = (request.headersDistinct['x-forwarded-for'] ?? []).flatMap((line) => line.split(','));
  // Fewer entries than proxies: the request came in further inside, and the leftmost is the furthest that is known.
  const entry = forwarded.slice(-proxyHops)[0] ?? '';
  const address = withoutPort(entry.trim());
  return isIP(address) === 0 ? socketAddress : address;
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}
