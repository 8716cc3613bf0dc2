import type { OutputStream } from '../io.js';

/** The width, style and characters of charts and tables. */
export interface Frame {
  /**
   * The maximum width of a line, in columns of the terminal; undefined for no limit: in a file, in a pipe or on a terminal of
   * unknown size.
   */
  readonly widthMax: number | undefined;
  readonly style: TextStyle;
  readonly glyphs: Glyphs;
}

/** The characters of bars, sparklines and truncated text; each is one column wide. */
export interface Glyphs {
  /** The character for a full column of a bar. */
  readonly full: string;
  /** The characters for one to seven eighths of a column, in ascending order; empty if the character set has none. */
  readonly eighths: readonly string[];
  /** The character for the part of a plan that is not used yet. */
  readonly rest: string;
  /**
   * The character for the part of an amount that is above its plan. Differs from `full`, so that the plan and the excess are
   * distinct even without colour.
   */
  readonly over: string;
  /** The characters of a sparkline, from the lowest bar to the highest. */
  readonly heights: readonly string[];
  /** The character at the end of truncated text. */
  readonly cut: string;
}

/**
 * Returns block characters if the locale is UTF-8, otherwise ASCII. The locale is the first of `LC_ALL`, `LC_CTYPE` and
 * `LANG` that is set. If none is set, returns block characters on Windows, and ASCII on other systems. `TERM=dumb` always
 * means ASCII.
 */
export function chooseGlyphs(env: Readonly<Record<string, string | undefined>>): Glyphs {
  if (env.TERM === 'dumb') return asciiGlyphs;
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '');
  if (locale === undefined) return env.OS === 'Windows_NT' ? unicodeGlyphs : asciiGlyphs;
  return /utf-?8/i.test(locale) ? unicodeGlyphs : asciiGlyphs;
}

export const unicodeGlyphs: Glyphs = {
  full: '█',
  eighths: ['▏', '▎', '▍', '▌', '▋', '▊', '▉'],
  rest: '░',
  over: '!',
  heights: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  cut: '…',
};

export const asciiGlyphs: Glyphs = {
  full: '#',
  eighths: [],
  rest: '.',
  over: '!',
  heights: ['_', '.', '-', '~', '=', '+', '*', '#'],
  cut: '~',
};

/** Makes text bold or faint, or returns it unchanged. No information is conveyed by style alone. */
export interface TextStyle {
  strong(text: string): string;
  faint(text: string): string;
}

/**
 * Returns the style of a stream: plain unless it is a terminal. `NO_COLOR` (no-color.org), `--no-color` and `TERM=dumb` each
 * disable styles.
 */
export function chooseStyle(
  stream: OutputStream,
  options: { env: Readonly<Record<string, string | undefined>>; noColor: boolean },
): TextStyle {
  const isPlain =
    stream.isTTY !== true || options.noColor || (options.env.NO_COLOR ?? '') !== '' || options.env.TERM === 'dumb';
  const styled = (on: number, off: number) => (text: string) => (isPlain ? text : `\u001b[${on}m${text}\u001b[${off}m`);
  return { strong: styled(1, 22), faint: styled(2, 22) };
}
