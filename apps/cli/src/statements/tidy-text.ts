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

/** The beginning of a text, never half a character. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const characters = [...text];
  return characters.length <= charactersMax ? text : characters.slice(0, charactersMax).join('').trimEnd();
}
