import type { IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientAddress, matchesIfNoneMatch, parseIfMatch, parseJson } from './request.js';

const parse = (text: string) => parseJson(Buffer.from(text));
const isRefused = (body: Buffer) => {
  const parsed = parseJson(body);
  if (!parsed.ok) expect(parsed.issue).toMatchObject({ path: '', code: 'MALFORMED_JSON' });
  return !parsed.ok;
};
const refuses = (text: string) => isRefused(Buffer.from(text));

/** Returns JSON with `depth` levels. The first level is an object; `open` and `close` are the brackets of the other levels. */
const nested = (depth: number, open: string, close: string) =>
  `{"a":${open.repeat(depth - 1)}${open.endsWith(':') ? '1' : ''}${close.repeat(depth - 1)}}`;

describe('parseJson', () => {
  test('parses the output of JSON.stringify for any object without __proto__ to the same value', () => {
    const anyObject = fc
      .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 10 }))
      .filter((value) => !JSON.stringify(value).includes('__proto__'));
    fc.assert(
      fc.property(anyObject, fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 300 },
    );
  });

  test('parses numbers, escaped characters and nested values', () => {
    expect(parse(' {"a": [1, "\\u00e9\\n", {"b": null}], "c": {"a": true}} ')).toEqual({
      ok: true,
      value: { a: [1, 'é\n', { b: null }], c: { a: true } },
    });
  });

  test.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '{"a":NaN}',
    '{"a":01}',
    '{"a":1}{"b":2}',
    '{"a":"\n"}',
    '{} // done',
    'a=1&b=2',
  ])('refuses %j, which is not JSON', (text) => {
    expect(refuses(text)).toBe(true);
  });

  test.each(['[]', '[{"a":1}]', '"text"', '1', 'null', 'true'])('refuses %s, which is not an object', (text) => {
    expect(refuses(text)).toBe(true);
  });
});

describe('a duplicate JSON key', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    String.raw`{"a":1,"\u0061":2}`,
    String.raw`{"\u0061":1,"\u0061":2}`,
    String.raw`{"é":1,"\u00e9":2}`,
    String.raw`{"/":1,"\/":2}`,
    '{"":1,"":2}',
    '{"a":{"b":1,"b":2}}',
    '{"a":[0,{"b":1,"b":2}]}',
    '{"a":{"x":1},"a":{"y":1}}',
    '{"a":[],"a":[]}',
  ])('is refused: %s', (text) => {
    expect(refuses(text)).toBe(true);
  });

  test.each([
    '{"a":{"a":{"a":1}}}',
    '{"a":[{"b":1},{"b":2}]}',
    '{"a":"b","b":"a"}',
    String.raw`{"a":"\"a\":1,\"a\":2"}`,
    '{"a":"{","b":"}","c":":"}',
    String.raw`{"a\\":1,"a":2}`,
    '{"é":1,"e\u0301":2}',
    '{"A":1,"a":2}',
  ])('is not reported for keys that differ or are in different objects: %s', (text) => {
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});

describe('__proto__', () => {
  test.each([
    '{"__proto__":{"isAdmin":true}}',
    '{"a":{"__proto__":1}}',
    '{"a":[{"__proto__":null}]}',
    String.raw`{"\u005f_proto__":1}`,
  ])('is refused as a JSON key: %s', (text) => {
    expect(refuses(text)).toBe(true);
  });

  test('is accepted as a JSON value; constructor and prototype are accepted as JSON keys', () => {
    expect(parse('{"description":"__proto__"}').ok).toBe(true);
    expect(parse('{"constructor":1,"prototype":2}').ok).toBe(true);
  });
});

describe('the nesting depth of a JSON body', () => {
  test.each([
    ['objects', '{"a":', '}'],
    ['arrays', '[', ']'],
    // @proves contract 1: JSON bodies
  ])('is accepted at sixteen levels of %s, and refused at seventeen', (_, open, close) => {
    expect(parse(nested(16, open, close)).ok).toBe(true);
    expect(refuses(nested(17, open, close))).toBe(true);
  });

  test('counts only brackets that are open at the same time', () => {
    const siblings = Array.from({ length: 100 }, (_, index) => `"k${index}":[[]]`).join(',');
    expect(parse(`{${siblings}}`).ok).toBe(true);
  });

  test('is refused at thousands of levels', () => {
    expect(refuses(nested(30_000, '[', ']'))).toBe(true);
    expect(refuses('['.repeat(60_000))).toBe(true);
  });
});

describe('the JSON parser for request bodies', () => {
  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an incomplete character', [0xe2, 0x82]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a byte that UTF-8 never has', [0xff]],
    ['Latin-1', [0xe9]],
    // @proves contract 1: text
  ])('refuses bytes that are not UTF-8: %s', (_, bytes) => {
    expect(isRefused(Buffer.from([...Buffer.from('{"a":"'), ...bytes, ...Buffer.from('"}')]))).toBe(true);
  });

  test('refuses UTF-16', () => {
    expect(isRefused(Buffer.from('{"a":1}', 'utf16le'))).toBe(true);
  });

  test('accepts one byte order mark, but not two (RFC 8259 lets a parser ignore one)', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(refuses('\ufeff\ufeff{"a":1}')).toBe(true);
  });

  test('parses a body of 65,000 characters', () => {
    const text = `{"a":"${'x'.repeat(65_000)}"}`;
    expect(parse(text).ok).toBe(true);
    expect(parse(`{"a":"${'\\"'.repeat(32_000)}"}`).ok).toBe(true);
  });
});

describe('parseIfMatch', () => {
  test.each([
    ['"abc"', ['"abc"']],
    [' "abc" ', ['"abc"']],
    ['"a","b"', ['"a"', '"b"']],
    ['"a" , "b"', ['"a"', '"b"']],
    ['"a,b"', ['"a,b"']],
    ['"a",, "b",', ['"a"', '"b"']],
    ['""', ['""']],
  ])('parses %j as %j', (header, tags) => {
    expect(parseIfMatch(header)).toEqual(tags);
  });

  test.each([
    '*',
    'W/"abc"',
    '"a", W/"b"',
    '"a", *',
    'abc',
    '"abc',
    'abc"',
    '"a" "b"',
    '"a"b',
    "'abc'",
    '"a b"',
    '"é"',
    '',
    ' ',
    ',',
  ])('returns undefined for %j', (header) => {
    expect(parseIfMatch(header)).toBeUndefined();
  });
});

describe('matchesIfNoneMatch', () => {
  test.each(['"abc"', 'W/"abc"', '*', ' * ', '"x", "abc"', '"x",W/"abc"'])(
    'returns true for the tag "abc" and the header %j',
    (header) => {
      expect(matchesIfNoneMatch(header, '"abc"')).toBe(true);
    },
  );

  test.each([undefined, '', '"x"', 'abc', '"ABC"', '"abcd"', '"x,abc"'])(
    'returns false for the tag "abc" and the header %j',
    (header) => {
      expect(matchesIfNoneMatch(header, '"abc"')).toBe(false);
    },
  );
});

function from(forwardedFor: string | string[] | undefined, proxyHops: number): string {
  const lines = forwardedFor === undefined ? undefined : [forwardedFor].flat();
  const request = { socket: { remoteAddress: '10.0.0.1' }, headersDistinct: { 'x-forwarded-for': lines } };
  return clientAddress(request as unknown as IncomingMessage, proxyHops);
}

describe('the address of a client', () => {
  // @proves contract 10: HTTPS needs TLS_CERT_FILE
  test('is the address of the socket if there is no proxy, even if the request has the header X-Forwarded-For', () => {
    expect(from('203.0.113.7', 0)).toBe('10.0.0.1');
  });

  test.each([
    [1, '198.51.100.2'],
    [2, '203.0.113.7'],
  ])(
    // @proves contract 10: HTTPS needs TLS_CERT_FILE
    'behind %i trusted proxies is the X-Forwarded-For entry at that position from the right; clients can forge only entries to its left',
    (hops, address) => {
      expect(from('192.0.2.66, 203.0.113.7, 198.51.100.2', hops)).toBe(address);
    },
  );

  test('is the same for several X-Forwarded-For headers as for one combined header', () => {
    expect(from(['192.0.2.66', '203.0.113.7, 198.51.100.2'], 2)).toBe('203.0.113.7');
  });

  test('is the leftmost X-Forwarded-For entry if there are fewer entries than proxies, and the socket address if the header is missing', () => {
    expect(from('203.0.113.7', 3)).toBe('203.0.113.7');
    expect(from(undefined, 3)).toBe('10.0.0.1');
  });

  test.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['unknown', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('for the X-Forwarded-For header %j is %s', (entry, address) => {
    expect(from(entry, 1)).toBe(address);
  });
});
