import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { drawBar, drawPlanBar, drawSparkline, renderChart, toPercent } from './chart.js';
import { asciiGlyphs, chooseGlyphs, chooseStyle, type Frame, unicodeGlyphs } from './frame.js';

const style = chooseStyle({ write: () => {} }, { env: {}, noColor: true });

describe('a bar of a chart', () => {
  const draw = (value: bigint, max: bigint, width = 8) => drawBar(value, { max, width, glyphs: unicodeGlyphs });

  it('has a length in proportion to its value, with fractions of a column', () => {
    expect(draw(8n, 8n)).toBe('████████');
    expect(draw(4n, 8n)).toBe('████');
    expect(draw(1n, 16n)).toBe('▌');
  });

  it('is visible for a value close to zero, and empty for zero', () => {
    expect(draw(1n, 10n ** 18n)).toBe('▏');
    expect(drawBar(1n, { max: 10n ** 18n, width: 8, glyphs: asciiGlyphs })).toBe('#');
    expect(draw(0n, 5n)).toBe('');
    expect(draw(0n, 0n)).toBe('');
  });

  it('is shorter than the full width for a value just below the maximum', () => {
    expect(draw(10n ** 18n - 1n, 10n ** 18n)).not.toBe('████████');
  });
});

describe('a bar of planned and actual amounts', () => {
  const draw = (actual: bigint, planned: bigint) => drawPlanBar({ planned, actual }, { width: 8, glyphs: asciiGlyphs });

  it('shows the unspent and the overspent part with different characters, and needs no colour', () => {
    expect(draw(50n, 100n)).toBe('####....');
    expect(draw(100n, 100n)).toBe('########');
    expect(draw(200n, 100n)).toBe('####!!!!');
  });

  it('shows even a single cent that is spent, unspent or overspent', () => {
    expect(draw(1n, 10_000n)).toBe('#.......');
    expect(draw(9_999n, 10_000n)).toBe('#######.');
    expect(draw(10_001n, 10_000n)).toBe('#######!');
    expect(draw(0n, 0n)).toBe('........');
    expect(draw(5n, 0n)).toBe('!!!!!!!!');
  });
});

it('drawSparkline draws a character for each value, and distinguishes a small value from zero', () => {
  expect(drawSparkline([0n, 1n, 500n, 1000n], unicodeGlyphs)).toBe('▁▂▅█');
  expect(drawSparkline([0n, 0n], asciiGlyphs)).toBe('__');
  expect(drawSparkline([], asciiGlyphs)).toBe('');
});

describe('the characters of charts', () => {
  it.each([
    [{ LANG: 'es_ES.UTF-8' }, unicodeGlyphs],
    [{ LANG: 'C', LC_CTYPE: 'C.utf8' }, unicodeGlyphs],
    [{ LANG: 'es_ES.UTF-8', LC_ALL: 'C' }, asciiGlyphs],
    [{ LANG: 'es_ES.ISO-8859-1' }, asciiGlyphs],
    [{ LANG: 'es_ES.UTF-8', LC_ALL: '' }, unicodeGlyphs],
    [{ LANG: 'es_ES.UTF-8', TERM: 'dumb' }, asciiGlyphs],
    [{}, asciiGlyphs],
    [{ OS: 'Windows_NT' }, unicodeGlyphs],
  ])('are Unicode or ASCII, depending on the environment variables %j', (env, glyphs) => {
    expect(chooseGlyphs(env)).toBe(glyphs);
  });

  it('are all printable ASCII in asciiGlyphs', () => {
    expect(Object.values(asciiGlyphs).flat().join('')).toMatch(/^[ -~]+$/);
  });
});

describe('a chart', () => {
  const rows = [
    { label: 'Groceries', drawBar: (width: number) => '#'.repeat(width), values: ['1234.50', '100%'] },
    { label: '日本 food 🍜', mark: '!', drawBar: () => '##', values: ['9.00', '1%'], note: '3.00 over' },
  ];
  const frame = (widthMax: number | undefined): Frame => ({ widthMax, style, glyphs: asciiGlyphs });

  it('aligns labels, bars and values, including wide characters', () => {
    const bar = '#'.repeat(30);
    expect(renderChart(rows, frame(undefined))).toBe(
      `  Groceries     ${bar}  1234.50  100%\n! 日本 food 🍜  ##${' '.repeat(28)}     9.00    1%  3.00 over\n`,
    );
  });

  it('prints two lines for each row on a terminal too narrow for one line', () => {
    expect(renderChart(rows, frame(34))).toBe(
      '  Groceries\n  #################  1234.50  100%\n! 日本 food 🍜  3.00 over\n  ##                    9.00    1%\n',
    );
  });

  it.each([24, 32, 40, 60, 80, 120])('fits a terminal of %d columns', (widthMax) => {
    for (const line of renderChart(rows, frame(widthMax)).split('\n')) {
      expect(stringWidth(line)).toBeLessThanOrEqual(widthMax);
    }
  });

  it('escapes control and bidirectional characters in labels, and replaces a line feed by a space', () => {
    const [row] = rows;
    const label = 'a\u001b[2J\nb\u202Ec';
    expect(renderChart([{ ...row, label, drawBar: () => '', values: [] }], frame(undefined))).toBe(
      'a\\u001b[2J b\\u202ec\n',
    );
  });
});

it.each([
  [1n, 3n, '33%'],
  [2n, 3n, '67%'],
  [0n, 1000n, '0%'],
  [1n, 1000n, '<1%'],
  [5n, 1000n, '1%'],
  [999n, 1000n, '99%'],
  [1000n, 1000n, '100%'],
  [1001n, 1000n, '101%'],
  [2500n, 1000n, '250%'],
  [5n, 0n, ''],
])('a share of %d of %d is printed as "%s"', (part, whole, percent) => {
  expect(toPercent(part, whole)).toBe(percent);
});
