interface WithText {
  readonly text: string;
}

/**
 * Returns, for each matching row, the movement that may be the same transaction. Each movement matches at most one row.
 * Texts with the same words are matched first, then the closest texts. In both steps, earlier rows are matched first.
 *
 * @param movements all movements that have the account, day, direction and amount of the rows
 */
export function matchRows<Row extends WithText, Movement extends WithText>(
  rows: readonly Row[],
  movements: readonly Movement[],
): ReadonlyMap<Row, Movement> {
  const matches = new Map<Row, Movement>();
  const free = new Set(movements);
  const byText = groupByText(movements);
  for (const row of rows) {
    const movement = byText.get(normalizeText(row.text))?.shift();
    if (movement === undefined) continue;
    matches.set(row, movement);
    free.delete(movement);
  }
  for (const row of rows) {
    if (free.size === 0) break;
    if (matches.has(row)) continue;
    const movement = findClosest(row, free);
    if (movement === undefined) continue;
    matches.set(row, movement);
    free.delete(movement);
  }
  return matches;
}

function groupByText<Movement extends WithText>(movements: readonly Movement[]): ReadonlyMap<string, Movement[]> {
  const groups = new Map<string, Movement[]>();
  for (const movement of movements) {
    const text = normalizeText(movement.text);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [movement]);
    else group.push(movement);
  }
  return groups;
}

/** Returns the movement with the most similar text, or undefined if no text is similar. Compares at most 200 movements. */
export function findClosest<Movement extends WithText>(
  row: WithText,
  movements: Iterable<Movement>,
): Movement | undefined {
  let closest: Movement | undefined;
  let fit = 0;
  let comparedCount = 0;
  for (const movement of movements) {
    comparedCount += 1;
    if (comparedCount > comparedMax) break;
    const found = compareTexts(row.text, movement.text);
    if (found > fit) [closest, fit] = [movement, found];
  }
  return closest;
}

/**
 * The maximum number of movements that are compared with a row. Without this limit, thousands of equal amounts on one day
 * would take minutes to compare.
 */
const comparedMax = 200;

/**
 * Returns the similarity of the texts of two records with the same day, amount and direction: from 0 for different
 * transactions to 1 for the same words.
 *
 * Each format has its own fields and lengths for the texts of a transaction. A CSV file has a description and a merchant; OFX has a name of
 * 32 characters and a memo. Therefore only the words are compared. Case, accents and punctuation are ignored, and it does not matter
 * which field contains a word. The order of the words matters only in `containsCompact`. A record without words may be any transaction,
 * so its similarity is never 0.
 *
 * @param one all texts of a record, separated by spaces
 */
export function compareTexts(one: string, other: string): number {
  const [words, otherWords] = [wordsOf(one), wordsOf(other)];
  if (words.size === 0 && otherWords.size === 0) return 1;
  if (words.size === 0 || otherWords.size === 0) return withoutWords;
  const [fewer, more] = words.size <= otherWords.size ? [words, otherWords] : [otherWords, words];
  if (isEvery(fewer, (word) => more.has(word))) return fewer.size === more.size ? 1 : contained;
  if (containsCompact(words, otherWords)) return contained;
  const significant = [...fewer].filter(isSignificant);
  const otherCount = [...more].filter(isSignificant).length;
  const shared = significant.filter((word) => more.has(word)).length;
  const sharedPart = shared / Math.min(significant.length, otherCount);
  return sharedPart >= sharedPartMin ? sharedPart * contained : 0;
}

/** Returns the words of a text as one string, which is equal for texts with the same words. */
export function normalizeText(text: string): string {
  return [...wordsOf(text)].sort().join(' ');
}

/** The similarity of two texts if one contains all words of the other. */
const contained = 0.9;
/** The similarity of two texts if only one of them has words. */
const withoutWords = 0.1;

/**
 * Two texts are similar if the number of their common long words (`isSignificant`), divided by the number of long words of the text that
 * has fewer, is at least this value. The value is below 1, because banks add "card purchase", a city or a terminal to the name of the
 * merchant.
 */
const sharedPartMin = 0.5;

function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return new Set(plain.match(/[\p{L}\p{N}]+/gu));
}

/** Returns whether one text contains the other after the spaces of both are removed: one format may cut a text, or split a word. */
function containsCompact(words: ReadonlySet<string>, otherWords: ReadonlySet<string>): boolean {
  const [one, other] = [[...words].join(''), [...otherWords].join('')];
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  return shorter.length >= compactLengthMin && longer.includes(shorter);
}

/** The minimum length of the shorter text that `containsCompact` compares. Shorter texts occur by chance inside many words. */
const compactLengthMin = 4;

/**
 * Returns whether a word is long enough to distinguish transactions. A word of letters needs at least four letters. A word
 * with digits, such as a reference number, needs at least six characters. Articles and day numbers, such as "the" and "13",
 * are shorter.
 */
function isSignificant(word: string): boolean {
  return /^\p{L}{4,}$/u.test(word) || word.length >= 6;
}

function isEvery(words: ReadonlySet<string>, isTrue: (word: string) => boolean): boolean {
  for (const word of words) if (!isTrue(word)) return false;
  return true;
}
