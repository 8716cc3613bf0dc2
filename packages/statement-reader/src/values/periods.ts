import { readMonthName } from './dates.js';

export type Period = 'week' | 'month' | 'quarter' | 'year';

/** Returns the kind of period if the whole text names a period, as `March`, `Q1 2026`, `KW 12` and `2026` do; otherwise undefined. */
export function readPeriod(text: string): Period | undefined {
  if (text.length > textMax) return undefined;
  if (numericMonth.test(text)) return 'month';
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+\.?|\p{Nd}+/gu) ?? [];
  const kinds = new Set<Period | 'number' | 'other'>();
  for (const word of words) {
    const kind = kindOf(word);
    if (kind === undefined) return undefined;
    kinds.add(kind);
  }
  if (kinds.size === 0) return undefined;
  const hasNumber = kinds.has('number');
  if (kinds.has('week')) return hasNumber ? 'week' : undefined;
  if (kinds.has('month')) return 'month';
  const isQuarter = kinds.has('quarter') || /^[qt] ?[1-4](\P{L}|$)|(^|\P{L})[qt] ?[1-4]$/iu.test(text);
  if (isQuarter) return hasNumber ? 'quarter' : undefined;
  return /^(19|20)\d{2}$/.test(text) ? 'year' : undefined;
}

function kindOf(word: string): Period | 'number' | 'other' | undefined {
  if (/^\p{Nd}{1,2}$|^(19|20)\d{2}$/u.test(word)) return 'number';
  if (weekWords.has(word)) return 'week';
  if (quarterWords.has(word)) return 'quarter';
  if (otherWords.has(word)) return 'other';
  return /^[\p{L}\p{M}]{3,12}\.?$/u.test(word) && readMonthName(word) !== undefined ? 'month' : undefined;
}

/** The maximum length of the name of a period. */
const textMax = 30;
/** Matches `2026-03`, `03/2026` and `2026年3月`. */
const numericMonth = /^((19|20)\d{2}[-/.]\d{2}|\d{2}[-/.](19|20)\d{2}|((19|20)\d{2}[年년] ?)?\d{1,2}[月월])$/;
const weekWords: ReadonlySet<string> = new Set(
  'week wk w kw woche semaine semana settimana vecka uke uge viikko tydzień týden hét неделя'.split(' '),
);
const quarterWords: ReadonlySet<string> = new Set(
  'quarter quartal trimestre trimestr kwartaal kwartał kvartal kvartál kvartaali čtvrtletí negyedév квартал'.split(' '),
);
/** Letters before the number of a quarter, words between the parts of a period's name, and the endings of ordinal numbers. */
const otherWords: ReadonlySet<string> = new Set('q t of de del di du des st nd rd th er º ª'.split(' '));
