/**
 * One line of RFC 4180 CSV, its end included: quotes only where they are needed, nested values as JSON.
 *
 * A text that a spreadsheet would run as a formula gets an apostrophe before it: whoever sends you money chooses the text
 * of the transfer. One that begins so behind apostrophes of its own gets another one, so that whoever takes one away has
 * the text as it was. Numbers, the negative ones too, stay as they are; so does everything in the other formats.
 */
export function renderCsvLine(values: readonly unknown[]): string {
  return `${values.map(renderCell).join(',')}\r\n`;
}

function renderCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Source: OWASP, CSV injection. */
function isFormula(text: string): boolean {
  return /^'*[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
}
