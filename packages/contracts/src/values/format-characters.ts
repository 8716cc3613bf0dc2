/**
 * The format characters (Unicode Cf) that the API refuses, such as soft hyphens and zero-width spaces. The zero-width joiner and
 * non-joiner are allowed between letters, because Persian and Indic scripts need them, and in emoji such as 👩‍💻. Combining marks
 * count as letters, because they belong to the letter before them.
 * @source docs/contract.md, section 10a
 */
export const refusedFormatCharacters =
  /[^\P{Cf}\u200c\u200d]|(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])/gu;

/** Returns a text without the format characters that the API refuses. */
export function withoutFormatCharacters(text: string): string {
  return text.replace(refusedFormatCharacters, '');
}
