import type { OutputStream } from '../surroundings.js';

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
