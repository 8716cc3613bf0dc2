import { describe, expect, it } from 'vitest';
import { chooseByName } from './choose-by-name.js';

const choose = (wanted: string, ...names: readonly string[]) =>
  chooseByName({ noun: 'account', wanted, records: names.map((name, index) => ({ id: `id-${index}`, name })) }).name;

describe('a name', () => {
  it.each([
    ['an accent that is a letter of its own', 'Cafe\u0301', 'Caf\u00e9'],
    ['an accent that the record has apart', 'Caf\u00e9', 'Cafe\u0301'],
    ['two blanks', 'My  card', 'My card'],
    ['two blanks of the record', 'My card', 'My  card'],
    ['a blank that does not break, a tabulator, and blanks around', ' My\u00a0\tcard ', 'My card'],
    ['all of it, and another case', 'CAFE\u0301  Ana', 'Caf\u00e9 ana'],
  ])('means the record in spite of %s', (_, wanted, name) => {
    expect(choose(wanted, 'Other', name)).toBe(name);
  });

  it('that one record has exactly means that one, and never the one that looks alike', () => {
    expect(choose('My  card', 'My card', 'My  card')).toBe('My  card');
    expect(choose('my card', 'My card', 'my card')).toBe('my card');
  });

  it('that looks like several, and is none of them, is refused', () => {
    expect(() => choose('MY CARD', 'My card', 'My  card')).toThrow('is the name of several');
  });
});
