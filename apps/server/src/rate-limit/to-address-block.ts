import { isIPv4, isIPv6 } from 'node:net';

/**
 * The part of the network that counts as one sender: an IPv4 address, or the /64 of an IPv6 address, because that is what
 * one subscriber is given, with all its 2^64 addresses. Pure.
 * @param address as a socket or a proxy gives it; an IPv4 address in IPv6 clothes is taken as IPv4
 */
export function toAddressBlock(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return bare;
  const dotted = bare.slice(bare.lastIndexOf(':') + 1);
  if (isIPv4(dotted) && /^(0*:)*:?ffff:/i.test(bare)) return dotted;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  // Whatever `::` stands for is zeros: if it begins within the first four groups, the rest of them may lie behind it.
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const behindLength = behind.length + (isIPv4(dotted) ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - groups.length - behindLength;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...behind];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
