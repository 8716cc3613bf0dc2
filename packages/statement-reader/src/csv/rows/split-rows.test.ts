import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const quicken = 'Date,Account,Num,Description,Memo,Category,Tag,Clr,Amount';
const pay = '1/2/2026,Checking,,Acme,,Salary,,R,2500.00';
const parent = '1/13/2026,Checking,,Superstore,,--Split--,,R,-80.00';
const food = '1/13/2026,Checking,,Superstore,,Groceries,,R,-55.50';
const clothes = '1/13/2026,Checking,,Superstore,,Clothing,,R,-24.50';
const read = (...lines: string[]) => readExport([quicken, ...lines]);

describe('a row whose category says that it is split', () => {
  it('is skipped if the rows below it add up to its amount', async () => {
    const { rows, interpretation } = await read(
      pay,
      parent,
      food,
      clothes,
      '1/14/2026,Checking,,Bakery,,Groceries,,R,-3.20',
    );
    expect(rows).toEqual([
      '2026-01-02 +2500 Acme',
      'line 3 skipped: it is split, and its 2 parts in the file add up to its amount',
      '2026-01-13 -55.5 Superstore',
      '2026-01-13 -24.5 Superstore',
      '2026-01-14 -3.2 Bakery',
    ]);
    expect(interpretation['other rows']).toBe('1 skipped');
  });

  it('is skipped even if its parts have both directions, and another row of the same day follows them', async () => {
    const wage = ['1/15/2026,Checking,,Acme,,Split,,R,2100.00', '1/15/2026,Checking,,Acme,,Salary,,R,2500.00'];
    const { rows } = await read(
      ...wage,
      '1/15/2026,Checking,,Acme,,Tax,,R,-400.00',
      '1/15/2026,Checking,,Bakery,,Groceries,,R,-3.20',
    );
    expect(rows[0]).toBe('line 2 skipped: it is split, and its 2 parts in the file add up to its amount');
    expect(rows.slice(1)).toEqual(['2026-01-15 +2500 Acme', '2026-01-15 -400 Acme', '2026-01-15 -3.2 Bakery']);
  });

  it('fails if the rows below it have its date, but do not add up to its amount', async () => {
    const { rows } = await read(pay, parent, food, '1/13/2026,Checking,,Superstore,,Clothing,,R,-24.00');
    expect(rows).toEqual([
      '2026-01-02 +2500 Acme',
      'line 3 failure: "--Split--" says that it is split, but the rows next to it do not add up to its amount: correct these rows, or use --category-column "" if the file has no parts',
      '2026-01-13 -55.5 Superstore',
      '2026-01-13 -24 Superstore',
    ]);
  });

  it('fails if a row with its date is above it, or if only one row with its amount is below it', async () => {
    expect((await read(pay, food, clothes, parent)).rows[3]).toMatch(/^line 5 failure: "--Split--" says/);
    const copy = parent.replace('--Split--', 'Groceries');
    expect((await read(pay, parent, copy)).rows[1]).toMatch(/^line 3 failure: "--Split--" says/);
  });

  it('is recorded if the file lists no parts, or if --category-column "" is set', async () => {
    const alone = '1/20/2026,Checking,,Superstore,,--Split--,,R,-12.00';
    const { rows } = await read(pay, parent, '1/13/2026,Checking,,Bakery,,Groceries,,R,-3.20', alone);
    expect(rows.slice(1)).toEqual(['2026-01-13 -80 Superstore', '2026-01-13 -3.2 Bakery', '2026-01-20 -12 Superstore']);
    const flagged = await readExport([quicken, pay, parent, food, '1/14/2026,Checking,,Bakery,,Food,,R,-3.20'], {
      columns: { category: '' },
    });
    expect(flagged.rows[1]).toBe('2026-01-13 -80 Superstore');
  });

  it('is recorded if its parts fail because they have no date', async () => {
    const { rows } = await read(pay, parent, ',,,,,Groceries,,R,-55.50', ',,,,,Clothing,,R,-24.50');
    expect(rows).toEqual([
      '2026-01-02 +2500 Acme',
      '2026-01-13 -80 Superstore',
      'line 4 failure: it has no date',
      'line 5 failure: it has no date',
    ]);
  });
});

describe('a row that a flag marks as split', () => {
  const header = 'date,payee,amount,category,has_children';
  const split = '2026-01-13,Superstore,-80.00,,true';
  const parts = ['2026-01-13,Superstore,-55.50,Groceries,false', '2026-01-13,Superstore,-24.50,Clothing,false'];

  it('is skipped if the rows below it add up to its amount, and otherwise fails', async () => {
    expect((await readExport([header, split, ...parts])).rows).toEqual([
      'line 2 skipped: it is split, and its 2 parts in the file add up to its amount',
      '2026-01-13 -55.5',
      '2026-01-13 -24.5',
    ]);
    const [first = ''] = parts;
    expect((await readExport([header, split, first])).rows[0]).toBe(
      'line 2 failure: "has_children" says that it is split, but the rows next to it do not add up to its amount: correct these rows',
    );
  });
});

describe('a row that other rows name as their parent', () => {
  const header = 'id,date,payee,amount,currency,category,account,parent_id';
  const split = '901,2026-01-13,Superstore,-80.00,usd,,Checking,';
  const parts = [
    '902,2026-01-13,Superstore,-55.50,usd,Groceries,Checking,901',
    '904,2026-01-13,Superstore,-24.50,usd,Clothing,Checking,901',
  ];
  const other = '903,2026-01-13,Bakery,-3.20,usd,Groceries,Checking,';

  it('is skipped if these rows add up to its amount, wherever they are in the file', async () => {
    const { rows } = await readExport([header, parts[0] ?? '', other, split, parts[1] ?? '']);
    expect(rows).toEqual([
      '2026-01-13 -55.5 USD',
      '2026-01-13 -3.2 USD',
      'line 4 skipped: it is split, and its 2 parts in the file add up to its amount',
      '2026-01-13 -24.5 USD',
    ]);
  });

  it('fails if these rows do not add up to its amount', async () => {
    const { rows } = await readExport([header, split, ...parts.map((part) => part.replace('24.50', '20.00'))]);
    expect(rows[0]).toBe(
      'line 2 failure: it is split, but its 2 parts in the file do not add up to its amount: correct these rows',
    );
  });

  it('is recorded if the other row is its refund, or is of another day', async () => {
    const refund = '905,2026-01-13,Superstore,80.00,usd,Groceries,Checking,901';
    const later = '906,2026-02-13,Superstore,-80.00,usd,Groceries,Checking,901';
    const { rows } = await readExport([header, split, refund, later]);
    expect(rows).toEqual(['2026-01-13 -80 USD', '2026-01-13 +80 USD', '2026-02-13 -80 USD']);
  });
});

describe('a row whose category may say that it is split', () => {
  const headers = 'Date,Payee,Category,Amount';
  const parts = ['2026-03-13,Shop,Food,-60.00', '2026-03-13,Shop,Home,-40.00', '2026-03-14,Lidl,Food,-12.00'];
  const readWith = async (category: string, amount: string) =>
    (await readExport([headers, `2026-03-13,Shop,${category},${amount}`, ...parts])).rows[0];

  it.each(['Geteilt', 'Ventilé', 'Multiple', 'Dividida', 'Split-Buchung', 'Splittbuchung', 'Diverse Kategorien'])(
    'is skipped if the rows below it add up to its amount: %s',
    async (category) => {
      expect(await readWith(category, '-100.00')).toBe(
        'line 2 skipped: it is split, and its 2 parts in the file add up to its amount',
      );
    },
  );

  it('fails if the rows below do not add up to its amount, and its category has no other meaning', async () => {
    expect(await readWith('Mehrere Kategorien', '-99.00')).toMatch(/^line 2 failure: "Mehrere Kategorien" says/);
    expect(await readWith('Geteilt', '-99.00')).toBe('2026-03-13 -99');
  });
});

describe('a row above rows that are marked as parts', () => {
  const skipped = 'line 2 skipped: it is split, and its 2 parts in the file add up to its amount';
  const readParts = async (parent: string, ...parts: string[]) =>
    (await readExport(['Date,Payee,Memo,Category,Amount,Split', parent, ...parts, '2026-03-14,Lidl,,Food,-12.00,']))
      .rows;
  const texts = ['2026-03-13,Shop,(Split 1/2) milk,Food,-60.00,', '2026-03-13,Shop,(Split 2/2) soap,Home,-40.00,'];
  const flags = ['2026-03-13,Shop,milk,Food,-60.00,S', '2026-03-13,Shop,soap,Home,-40.00,S'];

  it('is skipped if the parts add up to its amount', async () => {
    expect((await readParts('2026-03-13,Shop,,,-100.00,', ...texts))[0]).toBe(skipped);
    expect((await readParts('2026-03-13,Shop,,,-100.00,', ...flags))[0]).toBe(skipped);
    const others = ['2026-03-13,Rewe,(Split 1/2) a,Food,-1.00,', '2026-03-13,Rewe,(Split 2/2) b,Home,-2.00,'];
    expect((await readParts('2026-03-13,Shop,,,-100.00,', ...texts, ...others))[0]).toBe(skipped);
  });

  it('is a transaction if the parts do not add up to its amount, or have another merchant or day', async () => {
    for (const parent of ['Shop,,,-99.00', 'Rewe,,,-100.00']) {
      const rows = await readParts(`2026-03-13,${parent},`, ...texts);
      expect(rows[0]).toMatch(/^2026-03-13 -/);
      expect(rows).toHaveLength(4);
    }
    expect((await readParts('2026-03-12,Shop,,,-100.00,', ...flags))[0]).toBe('2026-03-12 -100');
    expect((await readParts('2026-03-13,Shop,Split 50/50 with Anna,,-100.00,', ...flags))[0]).toBe(
      '2026-03-13 -100 Split 50/50 with Anna',
    );
  });
});
