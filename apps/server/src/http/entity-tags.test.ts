import { describe, expect, test } from 'vitest';
import { matchesIfNoneMatch, parseIfMatch } from './entity-tags.js';

describe('If-Match', () => {
  test.each([
    ['"abc"', ['"abc"']],
    [' "abc" ', ['"abc"']],
    ['"a","b"', ['"a"', '"b"']],
    ['"a" , "b"', ['"a"', '"b"']],
    ['"a,b"', ['"a,b"']],
    ['"a",, "b",', ['"a"', '"b"']],
    ['""', ['""']],
  ])('%j names %j', (header, tags) => {
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
  ])('%j is not taken for the version that was fetched', (header) => {
    expect(parseIfMatch(header)).toBeUndefined();
  });
});

describe('If-None-Match', () => {
  test.each(['"abc"', 'W/"abc"', '*', ' * ', '"x", "abc"', '"x",W/"abc"'])('%j matches', (header) => {
    expect(matchesIfNoneMatch(header, '"abc"')).toBe(true);
  });

  test.each([undefined, '', '"x"', 'abc', '"ABC"', '"abcd"', '"x,abc"'])('%j does not', (header) => {
    expect(matchesIfNoneMatch(header, '"abc"')).toBe(false);
  });
});
