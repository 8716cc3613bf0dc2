import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { chooseStyle, unicodeGlyphs } from './frame.js';
import { renderCsvLine } from './printer.js';
import { renderProgress, startProgress } from './progress.js';
import { type Column, renderSheet, renderTable } from './table.js';
import { toPlainText } from './text.js';

interface Row {
  readonly name: string;
  readonly amount: string;
}

const columns: readonly Column<Row>[] = [
  { header: 'NAME', value: (row) => row.name, flexible: true },
  { header: 'AMOUNT', value: (row) => row.amount, align: 'right' },
];
const glyphs = unicodeGlyphs;
const style = chooseStyle({ write: () => {} }, { env: {}, noColor: false });

describe('a table', () => {
  it('aligns amounts right, and counts wide characters as two columns', () => {
    const rows = [
      { name: '日本', amount: '5.00' },
      { name: 'Checking', amount: '-1234.50' },
    ];
    expect(renderTable(rows, { columns, style, glyphs, widthMax: undefined }).text).toBe(
      'NAME        AMOUNT\n日本          5.00\nChecking  -1234.50\n',
    );
  });

  it('truncates flexible cells, but not the amount, on a narrow terminal', () => {
    const rows = [{ name: 'A very long description 日本 indeed', amount: '123456.78' }];
    const { text: table } = renderTable(rows, { columns, style, glyphs, widthMax: 30 });
    expect(table).toContain('…');
    expect(table).toContain('123456.78');
    for (const line of table.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(30);
  });

  it('omits the ID column if rows would wrap, returns it in leftOut, and shows the NAME column in full', () => {
    const wide: readonly Column<Row>[] = [
      { header: 'NOTE', value: () => 'n'.repeat(30), flexible: true },
      { header: 'NAME', value: (row) => row.name, flexible: true, roomy: true },
      { header: 'ID', value: () => 'i'.repeat(36), droppable: true },
    ];
    const rows = [{ name: 'A description of forty characters or so!', amount: '1' }];
    const renderAt = (widthMax: number) => renderTable(rows, { columns: wide, style, glyphs, widthMax });
    expect(renderAt(120)).toMatchObject({ leftOut: [] });
    expect(renderAt(72)).toMatchObject({ leftOut: [] });
    expect(renderAt(60)).toMatchObject({ leftOut: ['ID'], text: expect.stringContaining(rows[0]?.name ?? '') });
    for (const widthMax of [20, 40, 60, 72, 100]) {
      for (const line of renderAt(widthMax).text.trimEnd().split('\n')) {
        expect(stringWidth(line)).toBeLessThanOrEqual(widthMax);
      }
    }
  });

  it('escapes control characters in cells', () => {
    const rows = [{ name: 'two\nlines\u001b[2J', amount: '1' }];
    const { text: table } = renderTable(rows, { columns, style, glyphs, widthMax: undefined });
    expect(table).not.toContain('\u001b');
    expect(table.split('\n')).toHaveLength(3);
  });

  it('has its header even without rows', () => {
    expect(renderTable([], { columns, style, glyphs, widthMax: 80 }).text).toBe('NAME  AMOUNT\n');
  });
});

it('renderSheet prints one record with a line for each field', () => {
  expect(renderSheet({ name: 'Checking', amount: '1' }, { columns, style })).toBe('NAME    Checking\nAMOUNT  1\n');
});

it('renderCsvLine quotes only cells that need quotes, and writes null as an empty cell and a nested value as JSON', () => {
  expect(renderCsvLine(['a,b', 'say "hi"', null, { id: 1 }, 'x'])).toBe('"a,b","say ""hi""",,"{""id"":1}",x\r\n');
});

it('toPlainText escapes control characters except the line feed', () => {
  expect(toPlainText('a\u001b[2Jb\nc\r')).toBe('a\\u001b[2Jb\nc\\u000d');
});

describe('colour', () => {
  const terminal = { write: () => {}, isTTY: true };

  it('is used only if the output is a terminal', () => {
    expect(chooseStyle(terminal, { env: {}, noColor: false }).strong('x')).toBe('\u001b[1mx\u001b[22m');
    expect(style.strong('x')).toBe('x');
  });

  it.each([
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
    [{}, true],
  ])('is off with the environment %j and --no-color set to %s', (env, noColor) => {
    expect(chooseStyle(terminal, { env, noColor }).strong('x')).toBe('x');
  });
});

describe('a progress bar', () => {
  it('shows progress, rate and remaining time, and fits a terminal of 20 columns', () => {
    const line = renderProgress({ done: 404, total: 808, elapsedMs: 2000, width: 80 });
    expect(line).toBe(`[${'#'.repeat(15)}${'-'.repeat(15)}]  404/808  202/s  2 s left`);
    expect(renderProgress({ done: 1, total: 808, elapsedMs: 2000, width: 20 }).length).toBeLessThan(20);
  });

  it.each([
    ['a line to a terminal, and then clears the line', true, {}, 2],
    ['nothing to a file', false, {}, 0],
    ['nothing to a dumb terminal', true, { TERM: 'dumb' }, 0],
  ])('writes %s', (_, isTTY, env, writes) => {
    const written: string[] = [];
    const stderr = { write: (text: string) => written.push(text), isTTY };
    const clock = { nowMs: () => 0, waitMs: async () => {} };
    const progress = startProgress({ stderr, clock, env, total: 2, isHidden: false });
    progress.advance();
    progress.clear();
    expect(written).toHaveLength(writes);
  });
});
