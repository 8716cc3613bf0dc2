const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const time = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const month = `(?<month>${months.join('|')})`;

/**
 * The three forms of an HTTP date. A recipient must accept all of them.
 * @source RFC 9110, section 5.6.7
 */
const forms = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{2}) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d{2})-${month}-(?<year>\\d{2}) ${time} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/**
 * Parses an HTTP date in any of its three forms. Returns milliseconds since 1970, or null if the text is not an HTTP date.
 * Date.parse is not used, because it differs between engines and reads the third form, which names no time zone, in local time.
 * @param nowMs the current time, for years of two digits: a year more than 50 years in the future is read as 100 years
 * earlier
 */
export function parseHttpDate(text: string, nowMs: number): number | null {
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return timeOf(parts, nowMs);
  }
  return null;
}

function timeOf(parts: Readonly<Record<string, string | undefined>>, nowMs: number): number | null {
  const monthIndex = months.indexOf(parts.month ?? '');
  const [day, hour, minute, second] = [parts.day, parts.hour, parts.minute, parts.second].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  // Second 60 is a leap second. UTC milliseconds have no leap seconds, so Date.UTC returns the start of the next minute.
  if (day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return null;
  return Date.UTC(fullYear(parts.year ?? '', nowMs), monthIndex, day, hour, minute, second);
}

function fullYear(digits: string, nowMs: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
