import stringWidth from 'string-width';

/** Cuts or pads a text to exactly `width` columns of the terminal; wide characters count two. */
export function padText(
  text: string,
  options: { width: number; align?: 'right' | undefined; cutMark: string },
): string {
  const cut = cutText(text, options);
  const spaces = ' '.repeat(Math.max(0, options.width - stringWidth(cut)));
  return options.align === 'right' ? spaces + cut : cut + spaces;
}

/** The text, or as much of its start as fits with the mark of a cut behind it. No character is cut in two. */
export function cutText(text: string, { width, cutMark }: { width: number; cutMark: string }): string {
  if (stringWidth(text) <= width) return text;
  let cut = '';
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}${cutMark}`;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
