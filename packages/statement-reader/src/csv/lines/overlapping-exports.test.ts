import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const header = 'Date,Description,Amount';
const january = ['2026-01-13,SHOP,-45.12', '2026-01-14,CAFE,-3.50'];

describe('a file with repeated headers', () => {
  it('requires --id-column "" if a row below the second headers is equal to a row above them', async () => {
    const joined = [header, ...january, header, '2026-01-14,CAFE,-3.50', '2026-01-16,RENT,-700.00'];
    const { question } = await readExport(joined);
    expect(question).toEqual({
      message: 'The headers repeat in line 4, and lines 3 and 5 are equal: the file may contain rows twice.',
      remedy: 'Take the copies out of the file. If each row is a transaction, use --id-column "".',
      requiresOption: true,
    });
    const accepted = await readExport(joined, { columns: { id: '' } });
    expect(accepted.question?.requiresOption).toBeUndefined();
    expect(accepted.rows).toHaveLength(4);
  });

  it('requires an option if the second headers are in another language, and a row below them is equal to a row above them', async () => {
    const joined = ['Fecha;Concepto;Importe', '13/01/2026;Super;-20,00', '15/01/2026;Nomina;1000,00'];
    const other = ['', 'Date;Label;Amount', '13/01/2026;Super;-20,00', '16/01/2026;Cafe;-3,00'];
    const { question, interpretation } = await readExport([...joined, ...other]);
    expect(question).toMatchObject({
      message: 'The headers repeat in line 5, and lines 2 and 6 are equal: the file may contain rows twice.',
      requiresOption: true,
    });
    expect(interpretation['left out']).toBe('line 5 "Date" (repeated header); 1 blank');
    const skipCopies = await readExport([...joined, ...other.toSpliced(2, 1)]);
    expect(skipCopies.question?.requiresOption).toBeUndefined();
    expect(skipCopies.rows).toHaveLength(3);
  });

  it('is refused if the second headers differ from the first in language and column order', async () => {
    const other = readExport([header, ...january, 'Importe,Fecha,Concepto', '-3.50,2026-01-14,CAFE']);
    await expect(other).rejects.toThrow('Another table begins at line 4');
  });

  it('requires no option if all equal rows are above the second headers', async () => {
    const cafes = [...january, '2026-01-14,CAFE,-3.50'];
    const { question } = await readExport([header, ...cafes, header, '2026-01-16,RENT,-700.00']);
    expect(question?.requiresOption).toBeUndefined();
  });

  it('requires no option if the balance column agrees with all rows', async () => {
    const balances = ['Date,Description,Amount,Balance', '2026-01-13,TEA,-5,95', '2026-01-14,CAFE,-5,90'];
    const more = ['2026-01-15,REFUND,5,95', '2026-01-13,TEA,-5,90', '2026-01-14,CAFE,-5,85'];
    const { question } = await readExport([...balances, balances[0] ?? '', ...more]);
    expect(question?.requiresOption).toBeUndefined();
  });
});

describe('a file of several exports without headers between them', () => {
  const rows = ['13/01/2026,SHOP,-20.00', '15/01/2026,PAY,1000.00', '16/01/2026,BUS,-3.00'];
  const question = {
    message: 'The rows from line 5 on repeat those from line 2 on: the file may contain rows twice.',
    remedy: 'Take the copies out of the file. If each row is a transaction, use --yes.',
  };

  it('requires a confirmation if at least three rows with different dates repeat', async () => {
    const joined = [header, ...rows, ...rows, '17/01/2026,TEA,-2.00'];
    const { question: found, interpretation, rows: read } = await readExport(joined);
    expect(found).toEqual(question);
    expect(interpretation['repeated rows']).toBe('the rows from line 5 on repeat those from line 2 on');
    expect(read).toHaveLength(7);
    expect((await readExport(joined, { columns: { id: '' } })).question).not.toEqual(question);
  });

  it('requires a confirmation if the repeated rows have the same references', async () => {
    const withIds = rows.map((row, index) => `${row},REF000000${index}`);
    const joined = [`${header},Reference`, ...withIds, ...withIds, '17/01/2026,TEA,-2.00,REF0000003'];
    expect((await readExport(joined)).question).toEqual(question);
  });

  it('requires a confirmation if the newest rows come first, and blank lines divide the exports', async () => {
    const newestFirst = rows.toReversed();
    const found = await readExport([header, ...newestFirst, '', '17/01/2026,TEA,-2.00', ...newestFirst]);
    expect(found.question?.message).toBe(
      'The rows from line 7 on repeat those from line 2 on: the file may contain rows twice.',
    );
  });

  it('requires a confirmation if the file has a balance column that does not agree with the repeated rows', async () => {
    const balances = ['80.00', '1080.00', '1077.00'];
    const withBalance = rows.map((row, index) => `${row},${balances[index]}`);
    const found = await readExport([
      `${header},Balance`,
      ...withBalance,
      ...withBalance,
      '17/01/2026,TEA,-2.00,1075.00',
    ]);
    expect(found.question).toEqual(question);
  });

  it('requires no confirmation if the balance column agrees with all rows', async () => {
    const days = ['13', '14', '15', '16', '13', '14', '15', '16'];
    const found = await readExport([
      `${header},Balance`,
      ...[90, 80, 70, 100, 90, 80, 70, 100].map(
        (balance, index) => `${days[index]}/01/2026,SHOP,${index % 4 === 3 ? '30.00' : '-10.00'},${balance}.00`,
      ),
    ]);
    expect(found.question?.message).not.toContain('repeat');
  });

  it.each([
    ['equal rows of one day', ['13/01/2026,BUS,-3', '13/01/2026,BUS,-3', '13/01/2026,BUS,-3', '13/01/2026,BUS,-3']],
    [
      'rows of one day that repeat in the same order',
      ['A', 'B', 'C', 'A', 'B', 'C'].map((text) => `13/01/2026,${text},-3`),
    ],
    ['only two rows that repeat', [...rows, ...rows.slice(1)]],
    ['a payment that is made every day', ['13', '14', '15', '13', '14', '15'].map((day) => `${day}/01/2026,BUS,-3`)],
    ['equal rows on different days', ['13', '13', '14', '14', '15', '15'].map((day) => `${day}/01/2026,BUS,-3`)],
    [
      'three repeated rows that overlap the rows they repeat (B, C, B, C, B)',
      [...rows.slice(1), ...rows.slice(1), rows[1] ?? ''],
    ],
  ])('requires no confirmation for %s', async (_, body) => {
    const found = await readExport([header, ...body, '17/01/2026,TEA,-2.00']);
    expect(found.question?.message).not.toContain('repeat');
  });
});
