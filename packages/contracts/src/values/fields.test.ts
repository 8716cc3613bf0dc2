import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import {
  amountField,
  categoryIdField,
  currencyField,
  dateField,
  descriptionField,
  merchantNameField,
  nameField,
  plannedAmountField,
  signedAmountField,
  uuidField,
} from './fields.js';

const code = (schema: Parameters<typeof issuesOf>[0], input: unknown) =>
  issuesOf(schema, input).map((issue) => issue.trim());

describe('an amount', () => {
  test.each(['0.01', '1', '12.5', '1.2345', '999999999999999', '999999999999999.99'])('may be %s', (text) => {
    expect(amountField.parse(text)).toBe(text);
  });

  test.each([
    ['0', 'OUT_OF_RANGE'],
    ['0.00', 'OUT_OF_RANGE'],
    ['-1', 'INVALID_FORMAT'],
    ['+1', 'INVALID_FORMAT'],
    ['01', 'INVALID_FORMAT'],
    ['1.', 'INVALID_FORMAT'],
    ['.5', 'INVALID_FORMAT'],
    ['1,50', 'INVALID_FORMAT'],
    ['1e2', 'INVALID_FORMAT'],
    [' 1', 'INVALID_FORMAT'],
    ['1\n', 'INVALID_FORMAT'],
    ['', 'INVALID_FORMAT'],
    ['1000000000000000', 'INVALID_FORMAT'],
    ['1.00000', 'AMOUNT_PRECISION'],
    [12.5, 'INVALID_FORMAT'],
    [1250, 'INVALID_FORMAT'],
    [null, 'INVALID_FORMAT'],
    [undefined, 'REQUIRED'],
    // @proves contract 1: amount format
  ])('of %j is rejected with %s', (input, issue) => {
    expect(code(amountField, input)).toEqual([issue]);
  });

  test('may be zero if it is the planned amount of a budget line, and negative if it is an opening balance', () => {
    expect(code(plannedAmountField, '0')).toEqual([]);
    expect(code(plannedAmountField, '-1')).toEqual(['INVALID_FORMAT']);
    expect(code(signedAmountField, '0.00')).toEqual([]);
    expect(code(signedAmountField, '-1.50')).toEqual([]);
    expect(code(signedAmountField, '-0')).toEqual([]);
    expect(code(signedAmountField, '--1')).toEqual(['INVALID_FORMAT']);
    expect(code(signedAmountField, '-1.00000')).toEqual(['AMOUNT_PRECISION']);
  });
});

describe('a text field', () => {
  // @proves contract 1: text
  test('trims its value, and converts an empty description to null', () => {
    expect(descriptionField.parse('  rent \n')).toBe('rent');
    expect(descriptionField.parse('   ')).toBeNull();
    expect(descriptionField.parse('')).toBeNull();
    expect(descriptionField.parse(null)).toBeNull();
    expect(descriptionField.parse(undefined)).toBeUndefined();
  });

  // @proves contract 1: text
  test('measures its length in code points, after trimming', () => {
    expect(code(descriptionField, '😀'.repeat(500))).toEqual([]);
    expect(code(descriptionField, '😀'.repeat(501))).toEqual(['TOO_LONG']);
    expect(code(descriptionField, `  ${'x'.repeat(500)}  `)).toEqual([]);
    expect(code(merchantNameField, 'x'.repeat(200))).toEqual([]);
    expect(code(merchantNameField, 'x'.repeat(201))).toEqual(['TOO_LONG']);
    expect(code(nameField, 'x'.repeat(100))).toEqual([]);
    expect(code(nameField, 'x'.repeat(101))).toEqual(['TOO_LONG']);
  });

  // @proves contract 1: text › rejects the control character %j
  test.each(['\u0000', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f'])(
    'rejects the control character %j',
    (char) => {
      for (const field of [descriptionField, merchantNameField, nameField]) {
        expect(code(field, `a${char}b`)).toEqual(['INVALID_FORMAT']);
      }
    },
  );

  // @proves contract 10a: Movements
  test('accepts newlines and tabs in a description, and rejects them in a field of one line', () => {
    expect(descriptionField.parse('a\n\tb')).toBe('a\n\tb');
    expect(code(descriptionField, 'a\rb')).toEqual(['INVALID_FORMAT']);
    expect(code(merchantNameField, 'a\nb')).toEqual(['INVALID_FORMAT']);
    expect(code(nameField, 'a\tb')).toEqual(['INVALID_FORMAT']);
  });

  // @proves contract 10a: Format characters › rejects the format character %j
  test.each(['\u00ad', '\u200b', '\u202e', '\u2066', '\u{e0067}'])('rejects the format character %j', (char) => {
    for (const field of [descriptionField, merchantNameField, nameField]) {
      expect(code(field, `a${char}b`)).toEqual(['INVALID_FORMAT']);
    }
    expect(code(nameField, char)).toEqual(['INVALID_FORMAT']);
  });

  // @proves contract 10a: Format characters › accepts the joiner %j between letters, not beside a space or digit
  test.each(['\u200c', '\u200d'])('accepts the joiner %j between letters, not beside a space or digit', (joiner) => {
    expect(nameField.parse(`ن${joiner}ن`)).toBe(`ن${joiner}ن`);
    expect(nameField.parse(`क्${joiner}ष`)).toBe(`क्${joiner}ष`);
    for (const text of [joiner, `a${joiner}`, `${joiner}a`, `a${joiner}${joiner}b`, `1${joiner}2`, `a ${joiner}b`]) {
      expect(code(nameField, text)).toEqual(['INVALID_FORMAT']);
    }
  });

  test.each(['👨‍👩‍👧', '👩🏽‍💻', '❤️‍🔥', '🏳️‍🌈', '👨‍⚕️'])('accepts the joiners in the emoji %s', (emoji) => {
    expect(nameField.parse(emoji)).toBe(emoji);
    expect(descriptionField.parse(`with ${emoji}.`)).toBe(`with ${emoji}.`);
  });

  test.each([
    [nameField, 'a\u00adb', 'Remove U+00AD from name: '],
    [descriptionField, 'a\u202eb', 'Remove U+202E from description: '],
    [merchantNameField, 'a\u0007b', 'Remove U+0007 from merchantName: '],
    [nameField, 'a\u{e0067}b', 'Remove U+E0067 from name: '],
  ])('reports its name and the forbidden character if it refuses a value', (field, text, message) => {
    expect(field.safeParse(text).error?.issues[0]?.message).toContain(message);
  });

  // @proves contract 1: text › rejects half of a surrogate pair: %j
  test.each(['\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d'])('rejects half of a surrogate pair: %j', (text) => {
    expect(code(descriptionField, `x${text}x`)).toEqual(['INVALID_FORMAT']);
  });

  test('accepts letters of several scripts, emoji and punctuation', () => {
    for (const text of ['Café', '東京', 'кофе', '👩‍👩‍👧', 'العربية', "O'Brien <b>&", "'; drop table movements; --"]) {
      expect(nameField.parse(text)).toBe(text);
    }
  });

  test('removes only the white space around its value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        const result = merchantNameField.safeParse(text);
        if (result.success) expect(result.data).toBe(text.trim() === '' ? null : text.trim());
      }),
    );
  });

  test('rejects an empty, an absent and a numeric value if the field is a name', () => {
    expect(code(nameField, '')).toEqual(['REQUIRED']);
    expect(code(nameField, '   ')).toEqual(['REQUIRED']);
    expect(code(nameField, undefined)).toEqual(['REQUIRED']);
    expect(code(nameField, 5)).toEqual(['INVALID_FORMAT']);
  });

  // @proves spec, Limits: merchantName
  test('reports both issues of a value that is too long and malformed', () => {
    expect(code(merchantNameField, `\u0000${'x'.repeat(201)}`)).toEqual(['INVALID_FORMAT', 'TOO_LONG']);
  });
});

describe('an id', () => {
  const id = '0190f2a0-0000-7000-8000-00000000000a';

  test('may be any UUID, including the nil UUID, and is converted to lower case', () => {
    expect(uuidField.parse(id)).toBe(id);
    expect(uuidField.parse(id.toUpperCase())).toBe(id);
    expect(uuidField.parse('00000000-0000-0000-0000-000000000000')).toBe('00000000-0000-0000-0000-000000000000');
  });

  test.each([id.slice(1), `${id}0`, id.replaceAll('-', ''), `{${id}}`, ` ${id}`, id.replace('a', 'g'), '', 7])(
    'cannot be %j',
    (input) => {
      expect(code(uuidField, input)).toEqual(['INVALID_FORMAT']);
    },
  );

  // @proves contract 1: ids
  test('of a category has 1 to 100 ASCII letters, digits, underscores and hyphens', () => {
    for (const text of ['cat_unknown', 'cat_0190f2a000007000800000000000000a', 'x']) {
      expect(categoryIdField.parse(text)).toBe(text);
    }
    for (const text of ['', 'a b', 'a,b', "a'b", 'ñ', 'x'.repeat(101)]) {
      expect(code(categoryIdField, text)).toEqual(['INVALID_FORMAT']);
    }
  });
});

describe('the field of a currency', () => {
  test.each([
    ['EUR', []],
    ['XCG', []],
    ['eur', ['INVALID_FORMAT']],
    ['EU', ['INVALID_FORMAT']],
    ['EURO', ['INVALID_FORMAT']],
    ['', ['INVALID_FORMAT']],
    ['XXX', ['UNKNOWN_CURRENCY']],
    ['DEM', ['UNKNOWN_CURRENCY']],
    [978, ['INVALID_FORMAT']],
  ])('validates %j, and reports exactly the issues %j', (input, issues) => {
    expect(code(currencyField, input)).toEqual(issues);
  });
});

describe('the field of a date', () => {
  test.each([
    ['1900-01-01', []],
    ['2024-02-29', []],
    ['9999-12-31', []],
    ['1899-12-31', ['OUT_OF_RANGE']],
    ['0000-01-01', ['OUT_OF_RANGE']],
    ['2023-02-29', ['INVALID_FORMAT']],
    ['2024-2-9', ['INVALID_FORMAT']],
    ['2024-01-01T00:00:00Z', ['INVALID_FORMAT']],
    ['', ['INVALID_FORMAT']],
    [20240101, ['INVALID_FORMAT']],
  ])('validates %j, and reports exactly the issues %j', (input, issues) => {
    expect(code(dateField, input)).toEqual(issues);
  });
});
