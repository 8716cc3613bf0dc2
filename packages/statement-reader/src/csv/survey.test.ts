import { describe, expect, it } from 'vitest';
import { readExport } from '../../test-support/read-export.js';

const headers = '"Buchungstag";"Buchungstext";"Umsatz in EUR"';
const first = ['"Umsätze Girokonto";"30 Tage"', '', headers, '"15.11.2024";"Strom";"-50,00"'];
const row = '"16.11.2024";"Zinsen";"1,00"';

describe('a second table in a file', () => {
  it.each([
    ['the same headers', headers],
    ['other headers', '"Buchungstag";"Umsatztag";"Buchungstext";"Umsatz in EUR"'],
  ])('is refused below the name of another account and %s', async (_headers, second) => {
    const title = [
      '"Alter Kontostand";"0,00 EUR"',
      '',
      '"Umsätze Tagesgeldkonto";"30 Tage"',
      '"Neuer Saldo";"1,00 EUR"',
    ];
    await expect(readExport([...first, ...title, second, row])).rejects.toMatchObject({
      message: 'Another table begins below line 7, "Umsätze Tagesgeldkonto": its rows may be of another account.',
      remedy: expect.stringContaining('Split the file'),
    });
  });

  it.each([
    ['without a title', []],
    ['below the title of the first table', ['"Umsätze Girokonto";"Seite 2"']],
    ['below a title that names no account', ['"Letzte Umsätze";""']],
  ])('is read %s', async (_title, title) => {
    const { rows } = await readExport([...first, ...title, headers, row]);
    expect(rows).toEqual(['2024-11-15 -50 EUR Strom', '2024-11-16 +1 EUR Zinsen']);
  });

  it('is none if only notes about the account follow the rows', async () => {
    const { rows } = await readExport([...first, '"Kontoinhaber";"Max"', row]);
    expect(rows).toHaveLength(2);
  });
});
