/** What the API takes. Source: contract, section 4: description and merchantName. */
export const descriptionCharactersMax = 500;
export const merchantCharactersMax = 200;

/**
 * A text of a statement on one line: without control characters and double spaces, and no longer than the API takes,
 * because a bank's long remittance text must not keep its row from being recorded.
 *
 * @param charactersMax counted as the API counts, in code points
 * @returns null when nothing is left
 */
export function tidyText(text: string | undefined, charactersMax: number): string | null {
  const tidy = (text ?? '').replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  return tidy === '' ? null : cutText(tidy, charactersMax);
}

/**
 * A text without the format characters that the API refuses, such as soft hyphens and zero-width spaces. Joiners stay between
 * letters and inside of emoji. Use it on what is sent only: keys are made from the text as the bank wrote it.
 * @source contract, section 10a
 */
export function withoutFormatCharacters(text: string): string {
  return text.replace(refusedFormatCharacters, '');
}

const letter = '[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';
const refusedFormatCharacters = new RegExp(
  `(?<!${letter})[\\u200c\\u200d]|[\\u200c\\u200d](?!${letter})|[^\\P{Cf}\\u200c\\u200d]`,
  'gu',
);

/** The beginning of a text, never half a character. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const characters = [...text];
  return characters.length <= charactersMax ? text : characters.slice(0, charactersMax).join('').trimEnd();
}
