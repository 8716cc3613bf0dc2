/**
 * The number of the month, 1 to 12, that a name or its beginning means in the languages of banks: `Dec`, `Sept.`,
 * `Januar`, `févr.`, `ene`, `grudnia`, `янв`. Undefined where nothing, or more than one month, has this name.
 */
export function readMonthName(text: string): number | undefined {
  const name = canonicalName(text);
  const english = englishNames.findIndex((month) => month.startsWith(name)) + 1;
  if (english > 0 && name.length >= 3) return english;
  names ??= collectNames();
  const exact = names.get(name);
  if (exact !== undefined) return exact.size === 1 ? [...exact][0] : undefined;
  if (name.length < 3) return undefined;
  const begun = new Set([...names].flatMap(([known, months]) => (known.startsWith(name) ? [...months] : [])));
  return begun.size === 1 ? [...begun][0] : undefined;
}

const englishNames = 'january february march april may june july august september october november december'.split(' ');

/**
 * Languages whose names do not contradict each other: Croatian `lipanj` and `srpanj` are June and July, where the
 * Polish `lipiec` and the Czech `srpen` are July and August, so Croatian is left out.
 */
const languages = 'en de fr es it pt ca nl sv nb da fi et pl cs sk hu ro tr ru uk el'.split(' ');

let names: Map<string, Set<number>> | undefined;

/** Made when the first name that is not English is met: it takes some milliseconds. */
function collectNames(): Map<string, Set<number>> {
  const collected = new Map<string, Set<number>>();
  const add = (name: string, month: number) => {
    const known = collected.get(canonicalName(name)) ?? new Set();
    collected.set(canonicalName(name), known.add(month));
  };
  for (const language of languages) {
    for (const width of ['long', 'short'] as const) {
      // With a day beside it a month is in its other case, as in `5 stycznia`.
      const alone = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
      const beside = new Intl.DateTimeFormat(language, { month: width, day: 'numeric', timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        const date = new Date(Date.UTC(2024, month - 1, 15));
        for (const format of [alone, beside]) {
          const name = format.formatToParts(date).find(({ type }) => type === 'month')?.value ?? '';
          if (/\p{L}/u.test(name)) add(name, month);
        }
      }
    }
  }
  return collected;
}

/** Without accents, points and case; Spanish writes both `set.` and `sept.`, which its beginning covers. */
function canonicalName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .trim()
    .toLowerCase();
}
