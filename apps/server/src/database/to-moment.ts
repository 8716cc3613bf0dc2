import pg from 'pg';

const readAsDate = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/**
 * A moment as PostgreSQL prints it, as the API shows it: RFC 3339 in UTC with milliseconds. What is finer is cut off.
 * Source: contract, section 1
 * @param text in the style ISO, in any time zone, or as PostgreSQL writes it in JSON
 */
export function toMoment(text: string): string {
  // Most of what is kept was made and changed at one moment.
  if (text !== lastText) {
    lastMoment = spell(text);
    lastText = text;
  }
  return lastMoment;
}

let lastText = '';
let lastMoment = '';

function spell(text: string): string {
  // A list has two moments a row. In UTC the text is only spelled in another way, which costs a tenth of reading it as a date.
  const isUtc = text.endsWith('+00') && text[10] === ' ';
  if (!isUtc) return (text[10] === 'T' ? new Date(text) : readAsDate(text)).toISOString();
  const milliseconds = text[19] === '.' ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
