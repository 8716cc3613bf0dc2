import type { OutputStream } from '../io.js';

/** What a chart may use: the columns it has, its letters, its characters. */
export interface Frame {
  /** Undefined for a file or pipe, where nothing limits a line. */
  readonly widthMax: number | undefined;
  readonly style: TextStyle;
  readonly glyphs: Glyphs;
}

/** What bars, sparklines and cut cells are drawn with; each is one column wide. */
export interface Glyphs {
  /** A column of a bar that is full. */
  readonly full: string;
  /** The end of a bar by eighths of a column, less to more; empty where the characters cannot say it. */
  readonly eighths: readonly string[];
  /** What is planned and not yet there. */
  readonly rest: string;
  /** What goes beyond the plan: one that is told from `full` without colour. */
  readonly over: string;
  /** The heights of a sparkline, lowest first. */
  readonly heights: readonly string[];
  /** Stands for the end of a cell that was cut. */
  readonly cut: string;
}

/**
 * Block characters where the terminal can show them, else ASCII. The locale decides, in the order of POSIX (`LC_ALL`,
 * `LC_CTYPE`, `LANG`; none of them is the C locale); Windows has no such variables, and shows UTF-8. `TERM=dumb` is ASCII.
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

/** Makes text stand out, or leaves it alone; nothing may be told by style only. */
export interface TextStyle {
  strong(text: string): string;
  faint(text: string): string;
}

/**
 * The style of a stream: plain unless it is a terminal that wants colour. `NO_COLOR` (no-color.org), `--no-color` and
 * `TERM=dumb` each switch it off.
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
