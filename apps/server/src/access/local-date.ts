const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The calendar date of a moment in an IANA time zone, `YYYY-MM-DD`. By ICU, whose zones are the ones that trackers may name:
 * PostgreSQL takes names such as `CET` for fixed abbreviations and knows no summer there.
 * @param moment milliseconds since 1970
 */
export function localDate(moment: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    // Making one costs more than a query; there are only so many zones.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(moment);
}
