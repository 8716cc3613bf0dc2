// Loaded into a server before its program. Names below `.hooks.test` resolve to the addresses that they contain: `0a000001` is 10.0.0.1,
// and 32 hexadecimal digits are an IPv6 address. A hyphen separates addresses. A name with `-then-` contains two lists of addresses: the
// first look-up returns the first list, and all later look-ups return the second list.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const { lookup } = dns;
const seen = new Set();

dns.lookup = (name, options, done) => {
  if (!String(name).endsWith('.hooks.test')) return lookup(name, options, done);
  const [, first, second] = /^([0-9a-f-]+?)(?:-then-([0-9a-f-]+))?\./.exec(name) ?? [];
  const chosen = second !== undefined && seen.has(name) ? second : first;
  seen.add(name);
  const addresses = (chosen ?? '').split('-').map((digits) => ({
    address:
      digits.length === 8
        ? digits
            .match(/../g)
            .map((byte) => Number.parseInt(byte, 16))
            .join('.')
        : digits.match(/..../g).join(':'),
    family: digits.length === 8 ? 4 : 6,
  }));
  process.nextTick(() => done(null, addresses));
};
syncBuiltinESMExports();
