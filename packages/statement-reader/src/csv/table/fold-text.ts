/**
 * Returns the same text for names that differ only in case, the width of their characters, the accents of Latin letters or spacing. For
 * example, returns `saldo` for `S A L D O`, which some banks write.
 */
export function foldText(text: string): string {
  // The fast path: nearly every text is ASCII.
  if (/^[ -~]*$/.test(text)) return joinLetters(text.toLowerCase());
  const folded = text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/ł/g, 'l')
    .replace(/[đð]/g, 'd')
    .replace(/ı/g, 'i')
    .replace(/[øö]/g, 'o');
  return joinLetters(folded);
}

function joinLetters(text: string): string {
  // Some banks put symbols around the label of a balance: mBank writes `#Saldo końcowe`, and BancoPosta `|SALDO FINALE`.
  // Without the lookbehind, a long run of such symbols would take quadratic time.
  const plain = text.replace(/^[^\p{L}\p{N}]+|(?<![\s*|#=~<>_-])[\s*|#=~<>_-]+$/gu, '').replace(/\s+/g, ' ');
  return /^\S( \S)+$/u.test(plain) ? plain.replaceAll(' ', '') : plain;
}

/** The maximum length of the label of a balance or the name of a total. Longer texts are sentences. */
export const textMax = 60;
