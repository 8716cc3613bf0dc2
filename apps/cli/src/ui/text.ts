import stringWidth from 'string-width';

/** Scripts in which U+200D joins letters and U+200C separates them. */
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

/** Joiners that change the form of letters or emoji, and do not hide text. */
const joiners = [
  `(?<=[${joiningScripts}])[\\u200C\\u200D](?=[${joiningScripts}])`,
  '(?<=\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?)\\u200D(?=\\p{Extended_Pictographic})',
];

/** Format characters with a glyph: the prepended concatenation marks of Arabic, Syriac and Kaithi, such as number signs. */
const visible = '[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]';

/**
 * Control characters other than the line feed (Unicode Cc), format characters that reorder or hide text (Cf), line and
 * paragraph separators (Zl, Zp) and lone surrogates (Cs).
 */
const hidden = new RegExp(`(?!\\n|${visible}|${joiners.join('|')})[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]`, 'gu');

/**
 * Escapes characters that could control the terminal, or reorder or hide letters. The escapes have the syntax of JSON, such
 * as `\u001b`, so that a JSON text keeps its value. Line feeds are not escaped.
 */
export function toPlainText(text: string): string {
  return text.replace(hidden, escapeCharacter);
}

/** Replaces each run of line breaks (LF or CRLF) and tabs with a space, and escapes the same characters as {@link toPlainText}. */
export function toOneLine(text: string): string {
  return toPlainText(text.replace(/(?:\r?\n|\t)+/g, ' '));
}

/** Returns the JSON escape of a character. For a character beyond U+FFFF, these are two escapes, one for each surrogate. */
function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Truncates or pads a text to `width` columns of the terminal; wide characters count as two. */
export function padText(
  text: string,
  options: { width: number; align?: 'right' | undefined; cutMark: string },
): string {
  const cut = cutText(text, options);
  const spaces = ' '.repeat(Math.max(0, options.width - stringWidth(cut)));
  return options.align === 'right' ? spaces + cut : cut + spaces;
}

/** Truncates a text that is wider than `width` columns, and ends it with `cutMark`. Grapheme clusters are not split. */
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
