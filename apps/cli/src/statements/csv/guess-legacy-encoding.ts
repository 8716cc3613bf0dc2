import { scoreWideText, wideCandidates } from './wide-encodings.js';

/**
 * Guesses which of the encodings before UTF-8 some bytes are in, by what they would be as text: letters of one script
 * side by side, small after small, and those that a language of an encoding uses. No name of a bank comes into it.
 *
 * A wrong answer between two encodings of one region changes a letter of a description and never a digit, so the guess
 * is shown and not asked.
 *
 * @param sample bytes around those beyond ASCII, from all over the file
 */
export function guessLegacyEncoding(sample: Uint8Array): string {
  const narrow = candidates.map(({ encoding, letters }) => {
    const text = new TextDecoder(encoding).decode(sample);
    return { encoding, score: scoreText(text, letters) };
  });
  const wide = wideCandidates().map(({ encoding, usual }) => {
    const text = new TextDecoder(encoding).decode(sample);
    return { encoding, score: scoreWideText(text, usual) };
  });
  return [...narrow, ...wide].reduce((best, next) => (next.score > best.score ? next : best)).encoding;
}

const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ';
/** By language, because all of them together are nearly the whole of the encoding, and then any text would do. */
const centralEuropean = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžľĺŕôä', 'áéíóöőúüű', 'čćđšž', 'ăâîșțşţ'];
/** Names of neighbours occur in any of these languages. */
const borrowed = 'äöüé';

/** In the order of belief: the first of equals is taken. Letters are those that one of its languages uses every day. */
const candidates: readonly { readonly encoding: string; readonly letters: string }[] = [
  { encoding: 'windows-1252', letters: 'äöüßéèêëàâçñáíóúôûîïùãõåæøœ' },
  ...['windows-1250', 'iso-8859-2'].flatMap((encoding) =>
    centralEuropean.map((letters) => ({ encoding, letters: letters + borrowed })),
  ),
  { encoding: 'windows-1251', letters: cyrillic },
  { encoding: 'koi8-r', letters: cyrillic },
  { encoding: 'ibm866', letters: cyrillic },
  { encoding: 'windows-1253', letters: 'αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ' },
  { encoding: 'windows-1254', letters: 'çğıİöşüâî' },
  { encoding: 'windows-1257', letters: 'ąčęėįšųūžāēģīķļņõäöü' },
];

/** More is likelier: what a reader of the language would expect counts for it, what no word has counts against it. */
function scoreText(text: string, letters: string): number {
  const foreign = count(text, /[^\p{ASCII}]/gu);
  const usual = `[${(letters + letters.toUpperCase()).replace(/\p{ASCII}/gu, '')}]`;
  // Alone it may be another encoding's currency sign: £ is Ł in another one.
  const inWords = new RegExp(`(?<=\\p{L})${usual}|${usual}(?=\\p{L})`, 'gu');
  const known = count(text, inWords);
  const impossible = count(text, /[\ufffd\u0080-\u009f\ue000-\uf8ff]/gu);
  const insideWords = count(text, /(?<=\p{L})[^\p{L}\p{N}\s\p{ASCII}’](?=\p{L})/gu);
  const wrongCase = count(text, /(?<=\p{Ll})(?!\p{ASCII})\p{Lu}|(?<=(?!\p{ASCII})\p{Ll})\p{Lu}/gu);
  // Hardly a word of a Latin script has three letters beyond ASCII in a row; a word of another script has nothing else.
  const isLatin = /^\p{Script=Latin}/u.test(letters);
  const runs = isLatin
    ? count(text, /[^\p{ASCII}\P{L}]{3,}/gu)
    : count(text, /[a-z][^\p{ASCII}\P{L}]|[^\p{ASCII}\P{L}][a-z]/giu);
  return known - (foreign - known) - 8 * impossible - 4 * insideWords - 3 * wrongCase - 4 * runs;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
