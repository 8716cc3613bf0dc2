import pg from 'pg';

const readAsDate = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/**
 * Returns a timestamp of PostgreSQL as the API shows it: RFC 3339 in UTC, truncated to milliseconds.
 * @param text a timestamp in DateStyle ISO with any time zone, or in the format of PostgreSQL's JSON
 * @source docs/contract.md, section 1
 */
export function formatTimestamp(text: string): string {
  // The last result is cached, because the times of creation and last change are equal in most rows.
  if (text !== lastText) {
    lastTimestamp = reformat(text);
    lastText = text;
  }
  return lastTimestamp;
}

let lastText = '';
let lastTimestamp = '';

function reformat(text: string): string {
  // A list has two timestamps per row. Reformatting the text of a UTC timestamp takes a tenth of the time that parsing needs.
  const isUtc = text.endsWith('+00') && text[10] === ' ';
  if (!isUtc) return (text[10] === 'T' ? new Date(text) : readAsDate(text)).toISOString();
  const milliseconds = text[19] === '.' ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
