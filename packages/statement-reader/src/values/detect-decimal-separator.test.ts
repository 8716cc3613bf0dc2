import { describe, expect, it } from 'vitest';
import { DecimalSeparatorDetector } from './detect-decimal-separator.js';

describe('a file with decimal points and decimal commas', () => {
  it('is refused, and the error says how each value of --decimal-separator reads an amount that fits both', () => {
    const detector = new DecimalSeparatorDetector();
    for (const cell of ['-12.34', '-12,34', '-1,234']) detector.add(cell);
    expect(() => detector.requireSeparator(undefined)).toThrow(
      expect.objectContaining({
        message: '"-12.34" is written with a decimal point and "-12,34" with a decimal comma.',
        remedy:
          'Export the statement again, and do not open it in a spreadsheet program before the import. --decimal-separator . reads "1,234" as 1234, and --decimal-separator , reads it as 1.234; amounts that do not fit the choice fail.',
      }),
    );
  });
});

describe('a file whose currency contradicts the separator of its amounts', () => {
  const detector = new DecimalSeparatorDetector();
  for (const cell of ['-5.000', '-12.50']) detector.add(cell);

  it('is refused', () => {
    expect(() => detector.requireSeparator(undefined, ',')).toThrow(
      'The amount "-5.000" can have a thousands separator',
    );
  });

  it('is read with the separator that was saved', () => {
    expect(detector.requireSeparator('.', ',')).toBe('.');
    expect(detector.requireSeparator(',', ',')).toBe(',');
  });
});

describe('a file with amounts such as 12,50 and zeros such as 0.00', () => {
  it('is refused', () => {
    const detector = new DecimalSeparatorDetector();
    for (const cell of ['0.00', '-12,50']) detector.add(cell);
    expect(() => detector.requireSeparator()).toThrow(
      '"0.00" is written with a decimal point and "-12,50" with a decimal comma.',
    );
  });
});
