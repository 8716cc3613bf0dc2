import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('the newest rows', () => {
  const file = [
    'Posting Date,Description,Amount,Balance',
    '01/16/2026,UBER,-10.00,',
    '01/15/2026,LIDL,-5.00,90.00',
    '01/14/2026,PAY,50.00,95.00',
  ];

  it('require an option if they are the only rows without a balance, because they may be pending', async () => {
    const { question } = await readExport(file);
    expect(question).toEqual({
      message: 'The newest row, line 2, has no balance, and may be pending.',
      remedy: 'Take such rows out of the file. If they are final, use --ignore-balance.',
      requiresOption: true,
    });
    expect((await readExport(file, { ignoresBalance: true })).question?.requiresOption).toBeUndefined();
    const oldestFirst = await readExport([file[0] ?? '', ...file.slice(1).reverse()]);
    expect(oldestFirst.question?.message).toBe('The newest row, line 4, has no balance, and may be pending.');
  });

  it('are named as pending if the type of one of them says so, even if --ignore-balance accepts the missing balance', async () => {
    const ica = [
      'Datum;Text;Typ;Budgetgrupp;Belopp;Saldo',
      '2026-03-17;ICA KVANTUM;Reserverat belopp;Mat;-120,00 kr;',
      '2026-03-16;COOP;Korttransaktion;Mat;-50,00 kr;950,00 kr',
      '2026-03-15;LÖN;Insättning;;1000,00 kr;1000,00 kr',
    ];
    const message =
      'A row may be pending, or may not have happened: line 2 has "Reserverat belopp" in the column "Typ".';
    expect((await readExport(ica)).question?.message).toBe(message);
    expect((await readExport(ica, { ignoresBalance: true })).question).toMatchObject({ message, requiresOption: true });
    const accepted = await readExport(ica, { ignoresBalance: true, finalStatuses: ['reserverat belopp'] });
    expect(accepted.question?.requiresOption).toBeUndefined();
    const booked = ica.map((line) => line.replace('-120,00 kr;', '-120,00 kr;830,00 kr'));
    expect((await readExport(booked)).question?.requiresOption).toBeUndefined();
  });

  it('require no option if the bank writes a balance only in the last row of each day', async () => {
    const daily = [
      '2026-01-14,A,50.00,95.00',
      '2026-01-15,B,-5.00,',
      '2026-01-15,C,-5.00,85.00',
      '2026-01-16,D,-1.00,84.00',
    ];
    const { question } = await readExport(['Date,Description,Amount,Balance', ...daily]);
    expect(question?.message ?? '').not.toContain('may be pending');
  });
});
