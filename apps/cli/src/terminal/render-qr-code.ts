import { renderUnicodeCompact } from 'uqr';

/**
 * A text as a QR code of half blocks, two rows of squares a line. Cameras want dark on light, so its colours are said
 * with each line, whatever those of the terminal are; without colour it is right on a dark terminal.
 *
 * @param options.widthMax columns of the terminal
 * @returns undefined where the terminal is too narrow for it, or the text too long for any code
 */
export function renderQrCode(text: string, options: { widthMax: number; noColor: boolean }): string | undefined {
  if (text.length > textLengthMax) return undefined;
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: 2 }).split('\n');
  if (lines.some((line) => line.length > options.widthMax)) return undefined;
  // The blocks are the light squares.
  return lines.map((line) => (options.noColor ? `${line}\n` : `\u001b[97;40m${line}\u001b[0m\n`)).join('');
}

/** Bytes of the largest QR code, version 40 with the least correction; the text is ASCII. Source: ISO/IEC 18004. */
const textLengthMax = 2_953;
