// Combining marks count as letters, because they belong to the letter before them. Pictographs count as letters, so that joiners
// in sequences such as 👩‍💻 are allowed.
const letter = '[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';
// Zero width non-joiner and joiner: Persian and Indic scripts need them inside words.
const strayJoiner = `(?<!${letter})[\\u200c\\u200d]|[\\u200c\\u200d](?!${letter})`;

/**
 * The pattern of the format characters (Unicode Cf) that the API refuses, such as soft hyphens and zero-width spaces. Joiners are
 * allowed between letters and inside emoji.
 * @source contract, section 10a
 */
export const refusedFormatCharacter = `[^\\P{Cf}\\u200c\\u200d]|${strayJoiner}`;

/** Returns a text without the format characters that the API refuses. */
export function withoutFormatCharacters(text: string): string {
  return text.replace(refusedFormatCharacters, '');
}

const refusedFormatCharacters = new RegExp(refusedFormatCharacter, 'gu');
