import { readFirstBytes, type StatementSource } from './source.js';
import { StatementError } from './statement-error.js';

/**
 * Detects the encoding of a file. Returns a label that `TextDecoder` accepts.
 *
 * A UTF-16 byte order mark decides. Without one, zero bytes that are typical of UTF-16 decide. If the file has neither, the whole file
 * is read, because its first non-ASCII letter may be in the last row. If all bytes are valid UTF-8, the result is UTF-8. If not, the result
 * is the most likely older encoding.
 * @throws StatementError if the file cannot be read, or if it is not UTF-16 but contains zero bytes, and is therefore not a text file
 */
export async function detectEncoding(source: StatementSource): Promise<string> {
  const wide = findWideEncoding(await readFirstBytes(source));
  if (wide !== undefined) return wide;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const sample: Uint8Array[] = [];
  let sampled = 0;
  let isUtf8 = true;
  for await (const chunk of source.read()) {
    if (chunk.includes(0))
      throw new StatementError(`${source.name} is not a text file.`, 'Export the statement as CSV.');
    if (sampled < sampleBytesMax && hasNonAsciiByte(chunk)) {
      sample.push(chunk);
      sampled += chunk.length;
    }
    if (isUtf8) isUtf8 = decodes(decoder, chunk);
  }
  if (isUtf8 && decodes(decoder, undefined)) return 'utf-8';
  return guessLegacyEncoding(Buffer.concat(sample));
}

/** The size in bytes at which the sample for guessing an older encoding is complete. A few lines are enough to recognize a language. */
const sampleBytesMax = 4 * 65_536;

function hasNonAsciiByte(chunk: Uint8Array): boolean {
  return chunk.some((byte) => byte > 0x7f);
}

/**
 * Returns `utf-16le` or `utf-16be` if the bytes begin with the byte order mark of this encoding. Without such a mark,
 * returns a label only if more than a quarter of the first 200 bytes are zeros: `utf-16le` if all zeros are at odd positions (counted from
 * 0), `utf-16be` if all are at even positions. In UTF-16, one of the two bytes of an ASCII character is zero.
 */
function findWideEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const start = [...bytes.subarray(0, 200)];
  const zeros = (parity: number) => start.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  if (start.length < 8) return undefined;
  if (zeros(1) * 4 > start.length && zeros(0) === 0) return 'utf-16le';
  return zeros(0) * 4 > start.length && zeros(1) === 0 ? 'utf-16be' : undefined;
}

/**
 * Returns the source without the NULs that some programs write at the end of a file. A UTF-16 source is returned
 * unchanged, because a NUL at its end may be half of a character.
 * @param requested the encoding that an option names
 * @throws StatementError if the file cannot be opened or read
 */
export async function withoutTrailingNuls(
  source: StatementSource,
  requested: string | undefined,
): Promise<StatementSource> {
  const isWide = /^utf-?16/i.test(requested ?? '') || findWideEncoding(await readFirstBytes(source)) !== undefined;
  return isWide ? source : { name: source.name, read: () => dropTrailingNuls(source.read()) };
}

async function* dropTrailingNuls(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let zeros = 0;
  for await (const chunk of chunks) {
    const end = chunk.findLastIndex((byte) => byte !== 0) + 1;
    if (end === 0) {
      zeros += chunk.length;
      continue;
    }
    // NULs before other bytes stay, so that `detectEncoding` refuses a file that is not text.
    if (zeros > 0) yield new Uint8Array(Math.min(zeros, zerosMax));
    yield chunk.subarray(0, end);
    zeros = chunk.length - end;
  }
}

/** The maximum length of a run of NULs in bytes. A longer run is shortened to this length, to limit the memory. */
const zerosMax = 65_536;

/**
 * Returns the standard label of an encoding that the user named.
 * @throws StatementError if `TextDecoder` does not support the encoding
 */
export function requireEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new StatementError(
      `--encoding ${label} is not valid.`,
      'Use a label such as utf-8, iso-8859-1, windows-1252 or utf-16le.',
    );
  }
}

function decodes(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined): boolean {
  try {
    if (chunk === undefined) decoder.decode();
    else decoder.decode(chunk, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Chooses the encoding of a file that may declare its encoding. Uses the first encoding of this list that is available:
 *
 * 1. The encoding that the user requested.
 * 2. The detected encoding, unless Windows-1252 was detected. The detected encoding comes before the declared encoding, because some banks
 *    declare another encoding but write UTF-8.
 * 3. The declared encoding. It comes before a detected Windows-1252, because the detection also returns Windows-1252 if no other encoding
 *    fits better.
 * 4. Windows-1252.
 *
 * @param file.head the beginning of the file, which may have an OFX header or an XML declaration
 * @returns a label that `TextDecoder` supports
 * @throws StatementError if the file cannot be read or is not a text file, or the option names an unknown encoding
 */
export async function chooseEncoding(file: {
  readonly source: StatementSource;
  readonly requested: string | undefined;
  readonly head: string;
}): Promise<string> {
  if (file.requested !== undefined) return requireEncoding(file.requested);
  const detected = await detectEncoding(file.source);
  return detected === fallback ? (findDeclared(file.head) ?? fallback) : detected;
}

const fallback = 'windows-1252';

/**
 * Returns the declared encoding; undefined if none or an unknown one is declared. A declaration of UTF-8 or UTF-16 is ignored:
 * the caller has already found that the bytes have neither encoding.
 */
function findDeclared(head: string): string | undefined {
  const xml = /<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1];
  const ofx = /^\s*CHARSET:\s*(\S+)/im.exec(head)?.[1];
  const label = (xml ?? ofx ?? '').replace(/^(125\d)$/, 'windows-$1').replace(/^8859-/, 'iso-8859-');
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-') ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/**
 * Returns the most likely encoding of bytes that are not UTF-8. Decodes the bytes with each candidate and scores the
 * text. Everyday characters of the candidate's languages raise the score. Other characters and unlikely combinations,
 * such as a capital after a small letter, lower the score.
 *
 * A wrong guess between two encodings of one region changes a letter of a description, and never a digit. So the guess
 * is shown to the user, but needs no confirmation.
 * @param sample the chunks of the file that contain non-ASCII bytes, up to a maximum size
 */
export function guessLegacyEncoding(sample: Uint8Array): string {
  const narrow = singleByteCandidates.map(({ encoding, letters }) => {
    // Without `stream`, Node 20 decodes Windows-1252 as ISO-8859-1, which turns a dash into a control character.
    const text = new TextDecoder(encoding).decode(sample, { stream: true });
    return { encoding, score: scoreText(text, letters) };
  });
  const foreignBytes = sample.reduce((sum, byte) => (byte > 0x7f ? sum + 1 : sum), 0);
  const wide = wideCandidates().map(({ encoding, usual }) => {
    const text = new TextDecoder(encoding).decode(sample);
    return { encoding, score: scoreWideText(text, { usual, foreignBytes }) };
  });
  return [...narrow, ...wide].reduce((best, next) => (next.score > best.score ? next : best)).encoding;
}

const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ';
/**
 * The everyday letters of Central European languages: one string for each language or pair of languages. A single string with all these
 * letters would contain nearly every letter of Windows-1250 and ISO-8859-2, and would match any text.
 */
const centralEuropean = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžľĺŕôä', 'áéíóöőúüű', 'čćđšž', 'ăâîșțşţ'];
/** Letters that also occur in Central European texts, in names from neighbouring countries. */
const borrowed = 'äöüé';

/**
 * The candidates with one byte per character. If scores are equal, the first candidate wins. `letters` are the everyday letters of one or
 * more languages of the encoding.
 */
const singleByteCandidates: readonly { readonly encoding: string; readonly letters: string }[] = [
  { encoding: 'windows-1252', letters: 'äöüßéèêëàâçñáíóúôûîïùãõåæøœ' },
  ...['windows-1250', 'iso-8859-2'].flatMap((encoding) =>
    centralEuropean.map((letters) => ({ encoding, letters: letters + borrowed })),
  ),
  { encoding: 'windows-1251', letters: cyrillic },
  { encoding: 'windows-1255', letters: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת' },
  { encoding: 'koi8-r', letters: cyrillic },
  { encoding: 'ibm866', letters: cyrillic },
  { encoding: 'windows-1253', letters: 'αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ' },
  { encoding: 'windows-1254', letters: 'çğıİöşüâî' },
  { encoding: 'windows-1257', letters: 'ąčęėįšųūžāēģīķļņõäöü' },
];

/** Returns a higher score for a likelier text: expected letters raise the score, and impossible characters lower it. */
function scoreText(text: string, letters: string): number {
  const foreign = count(text, /[^\p{ASCII}]/gu);
  const usual = `[${(letters + letters.toUpperCase()).replace(/\p{ASCII}/gu, '')}]`;
  // A letter counts only next to another letter. If it is alone, its byte may be a currency symbol in another encoding: the byte of Ł
  // in Windows-1250 is £ in Windows-1252.
  const inWords = new RegExp(`(?<=\\p{L})${usual}|${usual}(?=\\p{L})`, 'gu');
  const known = count(text, inWords);
  const impossible = count(text, /[\ufffd\u0080-\u009f\ue000-\uf8ff]/gu);
  const insideWords = count(text, /(?<=\p{L})[^\p{L}\p{N}\s\p{ASCII}’](?=\p{L})/gu);
  const wrongCase = count(text, /(?<=\p{Ll})(?!\p{ASCII})\p{Lu}|(?<=(?!\p{ASCII})\p{Ll})\p{Lu}/gu);
  // Words in Latin script rarely have three non-ASCII letters in a row. In words in other scripts, no ASCII letter is next
  // to a letter of the script.
  const isLatin = /^\p{Script=Latin}/u.test(letters);
  const runs = isLatin
    ? count(text, /[^\p{ASCII}\P{L}]{3,}/gu)
    : count(text, /[a-z][^\p{ASCII}\P{L}]|[^\p{ASCII}\P{L}][a-z]/giu);
  // Five Hebrew letters have a second form, which is used only at the end of a word. The positions of these forms distinguish Hebrew from
  // Cyrillic: small Cyrillic letters in Windows-1251 have the same bytes as Hebrew letters in Windows-1255.
  const finals = count(text, /(?<=\p{L})[ךםןףץ](?!\p{L})/gu) - 4 * count(text, /[ךםןףץ](?=\p{L})/gu);
  return known - (foreign - known) + finals - 8 * impossible - 4 * insideWords - 3 * wrongCase - 4 * runs;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** An East Asian encoding with several bytes per character, and the characters that its languages use every day. */
export interface WideCandidate {
  readonly encoding: string;
  readonly usual: (character: string) => boolean;
}

/**
 * Returns the candidates for East Asian text. Each East Asian standard puts its common characters in one range of codes, called a level.
 * If a text is decoded with the wrong encoding, most of its characters become rare characters. If scores are equal, the first candidate
 * wins. EUC-KR comes before GB18030 and EUC-JP, because the bytes of Korean syllables are also common characters in these two
 * encodings.
 */
export function wideCandidates(): readonly WideCandidate[] {
  cachedCandidates ??= [
    { encoding: 'shift_jis', usual: isKanaOr(levelOf('shift_jis', { leads: [0x88, 0x97], trails: [0x40, 0xfc] })) },
    { encoding: 'euc-kr', usual: (character) => /[가-힣]/u.test(character) },
    { encoding: 'gb18030', usual: isOf(levelOf('gb18030', { leads: [0xb0, 0xd7], trails: [0xa1, 0xfe] })) },
    { encoding: 'euc-jp', usual: isKanaOr(levelOf('euc-jp', { leads: [0xb0, 0xcf], trails: [0xa1, 0xfe] })) },
    { encoding: 'big5', usual: isOf(levelOf('big5', { leads: [0xa4, 0xc6], trails: [0x40, 0xfe] })) },
  ];
  return cachedCandidates;
}

let cachedCandidates: readonly WideCandidate[] | undefined;

/**
 * Returns a higher score for a likelier text. A common character scores 2, because it has two bytes, but only 1 if its second byte is
 * ASCII. So the score is comparable with the scores of single-byte encodings, in which only non-ASCII bytes score. If each common character
 * scored 2, the capitals of a Central European text would become Chinese: the bytes of `ÁR` in Windows-1250 are one character of Big5.
 * @param options.foreignBytes the number of bytes of the text that are not ASCII
 */
export function scoreWideText(
  text: string,
  { usual, foreignBytes }: { readonly usual: (character: string) => boolean; readonly foreignBytes: number },
): number {
  const foreign = text.match(/[^\p{ASCII}]/gu) ?? [];
  const known = foreign.filter(usual).length;
  // Full-width digits and brackets do not change the score. Half-width katakana lower it, because Shift_JIS decodes about
  // half of all non-ASCII bytes as half-width katakana.
  const neutral = foreign.filter((character) =>
    /[\u3000-\u3030\u30fb\uff01-\uff60\uffe0-\uffe6]/u.test(character),
  ).length;
  const impossible = text.match(/[\ufffd\u0080-\u009f\ue000-\uf8ff]/gu)?.length ?? 0;
  const halfWidth = text.match(/[\uff61-\uff9f]/gu)?.length ?? 0;
  const asciiBytes = Math.max(0, 2 * (foreign.length - halfWidth) - (foreignBytes - halfWidth));
  return 2 * known - asciiBytes - (foreign.length - known - neutral) - 8 * impossible;
}

type Range = readonly [first: number, last: number];

/** Returns the Chinese characters of one level of a standard, by decoding every pair of bytes of the level. */
function levelOf(encoding: string, bytes: { readonly leads: Range; readonly trails: Range }): ReadonlySet<string> {
  const decoder = new TextDecoder(encoding);
  const level = new Set<string>();
  for (let lead = bytes.leads[0]; lead <= bytes.leads[1]; lead += 1) {
    for (let trail = bytes.trails[0]; trail <= bytes.trails[1]; trail += 1) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (/^\p{Script=Han}$/u.test(character)) level.add(character);
    }
  }
  return level;
}

function isOf(level: ReadonlySet<string>): (character: string) => boolean {
  return (character) => level.has(character);
}

function isKanaOr(level: ReadonlySet<string>): (character: string) => boolean {
  return (character) => level.has(character) || /[\u3041-\u30fa\u30fc-\u30ff]/u.test(character);
}
