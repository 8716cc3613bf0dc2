import { expect, it } from 'vitest';
import { readRecords } from './reader.js';

async function read(text: string, delimiter = ',') {
  async function* lines() {
    yield* text.split('\n');
  }
  const records = [];
  for await (const record of readRecords(lines(), delimiter)) records.push(record);
  return records;
}

it('readRecords reads plain, quoted and multi-line cells and doubled quotes, and numbers each record by its first line', async () => {
  expect(await read('a,b\n"1,5","say ""hi"""\n\n"two\nlines",x')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1,5', 'say "hi"'] },
    { line: 4, cells: ['two\nlines', 'x'], lineCount: 2 },
  ]);
});

it('readRecords reads a quote inside an unquoted cell as text', async () => {
  expect(await read('12" pizza,9.50')).toEqual([{ line: 1, cells: ['12" pizza', '9.50'] }]);
});

it('readRecords reads quoted cells with spaces around them, but keeps the quotes if a line quotes only texts without a delimiter, such as "Tea"', async () => {
  const lines = '15 Jan , "1,000.00" , Shop\n16 Jan, "50.00" ,Bus\n17 Jan, "Tea, Inc",5.00\n18 Jan, "Tea",5.00\n';
  expect(await read(lines)).toEqual([
    { line: 1, cells: ['15 Jan ', '1,000.00', ' Shop'] },
    { line: 2, cells: ['16 Jan', '50.00', 'Bus'] },
    { line: 3, cells: ['17 Jan', 'Tea, Inc', '5.00'] },
    { line: 4, cells: ['18 Jan', ' "Tea"', '5.00'] },
  ]);
});

it('readRecords reads quoted cells with spaces or tabs after the closing quote or before the opening quote', async () => {
  const lines = [
    '2026-01-02,"Shop" ,"-1.00"\t,',
    '2026-01-03,"Tea, Inc"\t,"-2.00" \t',
    '2026-01-04,"Bus",\t"-1,000.00"\t,',
  ];
  expect(await read(lines.join('\n'))).toEqual([
    { line: 1, cells: ['2026-01-02', 'Shop', '-1.00', ''] },
    { line: 2, cells: ['2026-01-03', 'Tea, Inc', '-2.00'] },
    { line: 3, cells: ['2026-01-04', 'Bus', '-1,000.00', ''] },
  ]);
  expect(await read('"a" \t"b"\t\t"c" ', '\t')).toEqual([{ line: 1, cells: ['a', 'b', '', 'c'] }]);
});

it('readRecords does not split or shorten a quoted cell that contains a quote, a space and a delimiter', async () => {
  const lines = [
    '2026-01-02,"say ""hi"" , and ""bye""\t,","-1.00"\t,',
    '2026-01-03,"say ""hi"" , Bob" ,"-2.00",',
    '"2026-01-04","Foo" , Bar","-3.00",',
  ];
  expect(await read(lines.join('\n'))).toEqual([
    { line: 1, cells: ['2026-01-02', 'say "hi" , and "bye"\t,', '-1.00', ''] },
    { line: 2, cells: ['2026-01-03', 'say "hi" , Bob', '-2.00', ''] },
    { line: 3, cells: ['2026-01-04', 'Foo" , Bar', '-3.00', ''] },
  ]);
});

it('readRecords ignores spaces after quotes in a fully quoted line only if a date or amount would otherwise be misplaced', async () => {
  expect(await read('"2026-01-02","Shop"\t,"HKD" ,"-1.00"\t,"x"\n"2026-01-03","-2.00","Tea" ,"x"')).toEqual([
    { line: 1, cells: ['2026-01-02', 'Shop', 'HKD', '-1.00', 'x'] },
    { line: 2, cells: ['2026-01-03', '-2.00', 'Tea" ,"x'] },
  ]);
});

it('readRecords reports a line with an unclosed quote as failed, and reads later lines, even a line such as screen 12" ,3', async () => {
  expect(await read('a,"1\nb,2\nscreen 12" ,3\n"c" ,"4\nd,5\nscreen 13" ,6')).toEqual([
    { line: 1, reason: expect.any(String) },
    { line: 2, cells: ['b', '2'] },
    { line: 3, cells: ['screen 12" ', '3'] },
    { line: 4, reason: expect.any(String) },
    { line: 5, cells: ['d', '5'] },
    { line: 6, cells: ['screen 13" ', '6'] },
  ]);
});

it('readRecords keeps the quotes of a text after a tab, and reports a line with text after a closing quote as failed', async () => {
  expect(await read('18 Jan,\t"Tea",5.00\n19 Jan,"Tea" x ,"5.00"\t,\n20 Jan,\t"Tea","5.00"')).toEqual([
    { line: 1, cells: ['18 Jan', '\t"Tea"', '5.00'] },
    { line: 2, reason: expect.stringContaining('quotation mark') },
    { line: 3, cells: ['20 Jan', '\t"Tea"', '5.00'] },
  ]);
});

it('readRecords reads quotes that are not doubled in a line whose cells are all quoted', async () => {
  expect(await read('"1","UAB "Naktida"","12.20","",\n"2","a","3"')).toEqual([
    { line: 1, cells: ['1', 'UAB "Naktida"', '12.20', '', ''] },
    { line: 2, cells: ['2', 'a', '3'] },
  ]);
  expect(await read('"1","UAB "Naktida"",12.20')).toEqual([{ line: 1, reason: expect.any(String) }]);
});

it('readRecords reports a line with a quote that is never closed as failed, and reads all other lines', async () => {
  const broken = ['a,1', 'b,"2', ...Array.from({ length: 70 }, (_, index) => `row,${index}`)].join('\n');
  const records = await read(broken);
  expect(records).toHaveLength(72);
  expect(records[1]).toMatchObject({ line: 2, reason: expect.stringContaining('quotation mark') });
  expect(records.slice(2)).toEqual(
    Array.from({ length: 70 }, (_, index) => ({ line: index + 3, cells: ['row', String(index)] })),
  );
});

it('readRecords reports a line with an unclosed quote as failed, and reads the next line even if it has quotes', async () => {
  expect(await read('"abc,1\n"def",2\nghi,3')).toEqual([
    { line: 1, reason: expect.any(String) },
    { line: 2, cells: ['def', '2'] },
    { line: 3, cells: ['ghi', '3'] },
  ]);
});

it('readRecords reports a line with an unclosed quote near the end of the file as failed, and reads the next line', async () => {
  expect(await read('a,"1\nb,2')).toEqual([
    { line: 1, reason: expect.any(String) },
    { line: 2, cells: ['b', '2'] },
  ]);
});

it('readRecords reads ="text" as a quoted cell, even if it contains the delimiter or is next to a multi-line cell', async () => {
  expect(await read('2026-01-02,="0002","two\nlines",-3.00\n2026-01-03,="a,b",x,-4')).toEqual([
    { line: 1, cells: ['2026-01-02', '0002', 'two\nlines', '-3.00'], lineCount: 2 },
    { line: 3, cells: ['2026-01-03', 'a,b', 'x', '-4'] },
  ]);
});
