import stringWidth from 'string-width';

/** Scripts whose letters are joined, or kept apart, by U+200C and U+200D. */
const joiningScripts = [
  'Arab',
  'Syrc',
  'Nkoo',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

/** Joiners that change how letters or an emoji look, and hide nothing. */
const joiners = [
  `(?<=[${joiningScripts}])[\\u200C\\u200D](?=[${joiningScripts}])`,
  '(?<=\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?)\\u200D(?=\\p{Extended_Pictographic})',
];

/** Format characters that are drawn: signs before Arabic, Syriac and Kaithi numbers. */
const visible = '[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]';

/**
 * Everything that a terminal obeys instead of showing it (Unicode Cc), that reorders or hides text (Cf, among them the
 * direction marks and blanks of no width), that ends a line (Zl, Zp), or that is half a character (Cs).
 */
const hidden = new RegExp(`(?!\\n|${visible}|${joiners.join('|')})[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]`, 'gu');

/**
 * Returns a text as a terminal can show it: what would move its cursor, set its title or clipboard, change its colours, or
 * reorder or hide letters is written as JSON escapes it, `\u001b`. JSON stays JSON with the same value. Line ends stay.
 */
export function toPlainText(text: string): string {
  return text.replace(hidden, escapeCharacter);
}

/** Returns the same on one line: line ends and tabs become a space. */
export function toOneLine(text: string): string {
  return toPlainText(text.replace(/(?:\r?\n|\t)+/g, ' '));
}

/** A character beyond U+FFFF has two escapes, as in JSON. */
function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

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
