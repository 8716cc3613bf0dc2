import { describe, expect, it } from 'vitest';
import type { UnknownNameError } from '../../errors.js';
import { chooseByName } from './choose-by-name.js';

const choose = (wanted: string, ...names: readonly string[]) =>
  chooseByName({ noun: 'account', wanted, records: names.map((name, index) => ({ id: `id-${index}`, name })) }).name;

describe('a record name that the user types', () => {
  it.each([
    ['a combining accent', 'Cafe\u0301', 'Caf\u00e9'],
    ['a combining accent in the record', 'Caf\u00e9', 'Cafe\u0301'],
    ['two spaces', 'My  card', 'My card'],
    ['two spaces in the record', 'My card', 'My  card'],
    ['a no-break space, a tab, and spaces around it', ' My\u00a0\tcard ', 'My card'],
    ['a combining accent, two spaces and a different case', 'CAFE\u0301  Ana', 'Caf\u00e9 ana'],
  ])('matches the record despite %s', (_, wanted, name) => {
    expect(choose(wanted, 'Other', name)).toBe(name);
  });

  it('matches the record with exactly this name, and not a record whose name differs in case or spaces', () => {
    expect(choose('My  card', 'My card', 'My  card')).toBe('My  card');
    expect(choose('my card', 'My card', 'my card')).toBe('my card');
  });

  it('is rejected if it differs from the names of two records only in case or spaces, and equals neither', () => {
    expect(() => choose('MY CARD', 'My card', 'My  card')).toThrow('Several records have the name');
  });
});

describe('an unknown record name', () => {
  const many = [
    'Wages',
    'Cheque account',
    ...Array.from({ length: 30 }, (_, index) => `Deposit number ${index}`),
    'Checking',
  ];

  it('is reported with the ten most similar names, the most similar first, and the number of remaining names', () => {
    expect(() => choose('Cheking', ...many)).toThrow(expect.objectContaining({ remedy: expect.any(String) }));
    try {
      choose('Cheking', ...many);
    } catch (error) {
      const { remedy = '' } = error as UnknownNameError;
      expect(remedy).toMatch(/^There are: Checking, .* and 23 more\.$/);
      expect(remedy.split(', ')).toHaveLength(10);
    }
  });

  it('is reported with the names of all records, in the order of the records, if ten records exist', () => {
    const ten = ['Wages', ...Array.from({ length: 8 }, (_, index) => `Pot ${index}`), 'Checking'];
    expect(() => choose('Cheking', ...ten)).toThrow(
      expect.objectContaining({ remedy: `There are: ${ten.join(', ')}.` }),
    );
  });

  it('is reported with a list of record names; the name that contains the unknown name comes first', () => {
    expect(() => choose('card', ...many, 'Platinum Card')).toThrow(
      expect.objectContaining({ remedy: expect.stringMatching(/^There are: Platinum Card, /) }),
    );
  });
});
