import ipaddr from 'ipaddr.js';

/** A range of addresses that deliveries may reach although it is not public. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

// The range from which IANA assigns public IPv6 addresses. For ipaddr.js, addresses outside it can be unicast too, such as ::7f00:1.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether a delivery may connect to an address. Public addresses and addresses in `networks` are allowed. Returns false for
 * text that is not an address.
 * @source docs/additions.md, section 5.1
 */
export function isAllowedAddress(text: string, networks: readonly Network[]): boolean {
  // An address with a zone, such as fe80::1%eth0, is local to an interface of this machine.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const parsed = ipaddr.parse(text);
  // `process` converts an IPv4-mapped IPv6 address, such as ::ffff:127.0.0.1, to IPv4. `networks` can contain either form.
  const address = ipaddr.process(text);
  return (
    isPublic(address) || [parsed, address].some((candidate) => networks.some((network) => isIn(candidate, network)))
  );
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [network, prefixLength]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, prefixLength);
  return network instanceof ipaddr.IPv6 && address.match(network, prefixLength);
}

/** Returns the address that is the host of a URL, or undefined if the host is a name. */
export function findLiteralAddress(hostname: string): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(host) ? host : undefined;
}
