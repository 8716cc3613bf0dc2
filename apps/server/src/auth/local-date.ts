// About 30 kB each. A server that meets more zones than this makes some formatters again.
const formatsMax = 256;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the calendar date of a moment in an IANA time zone, `YYYY-MM-DD`. ICU computes it, because trackers name its zones:
 * PostgreSQL takes names such as `CET` for fixed abbreviations and knows no summer there.
 * @param moment milliseconds since 1970
 */
export function localDate(moment: number, timeZone: string): string {
  return formatOf(timeZone).format(moment);
}

/** Making a formatter costs more than a query, so they are kept, by a key that all spellings of a name share. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const key = timeZone.toLowerCase();
  const kept = formats.get(key);
  if (kept !== undefined) return kept;
  const [oldest] = formats.keys();
  if (oldest !== undefined && formats.size >= formatsMax) formats.delete(oldest);
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(key, made);
  return made;
}
