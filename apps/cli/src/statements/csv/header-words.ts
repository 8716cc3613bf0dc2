/**
 * The words of a header, for looking up what it means: lower case, without accents, punctuation and the currency that
 * some banks put behind it. `"Betrag (€)"`, `"BETRAG_EUR"`,
 * `"Betrag R$"` and `"betrag in EUR"` are all `"betrag"`.
 */
export function headerWords(header: string): string {
  const words = header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ł/g, 'l')
    .replace(/[øö]/g, 'o')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss')
    .replace(/ı/g, 'i')
    .replace(/(?<!\p{L})\p{L}{0,2}\p{Sc}/gu, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  if (words.length > 1 && currencyWords.has(words.at(-1) ?? '')) words.pop();
  if (words.length > 1 && prepositions.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ');
}

const currencyWords: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
  'euro',
  'euros',
  '円',
  '元',
  '원'.normalize('NFKD'),
]);

/** What stands between a noun and a currency: `in EUR`, `en euros`, `w PLN`. */
const prepositions: ReadonlySet<string> = new Set(['in', 'en', 'w', 'i', 'v']);
