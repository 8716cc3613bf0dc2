/** One line of RFC 4180 CSV, its end included: quotes only where they are needed, nested values as JSON. */
export function renderCsvLine(values: readonly unknown[]): string {
  return `${values.map(renderCell).join(',')}\r\n`;
}

function renderCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
