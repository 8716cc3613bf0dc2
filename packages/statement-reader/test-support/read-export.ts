import { openCsv } from '../src/csv/open-csv.js';
import type { CsvOptions } from '../src/options.js';
import { fileSource } from '../src/source.js';
import type { OpenedStatement } from '../src/statement.js';
import { writeStatement } from './statement-files.js';

/** The result of reading an export. */
export interface ReadExport {
  /** The lines that show the user how the file was read, by label: `date format`, `signs` … */
  readonly interpretation: Readonly<Record<string, string>>;
  readonly mustConfirm: boolean;
  readonly question: NonNullable<OpenedStatement['interpretation']>['question'];
  /** Each transaction as `2026-01-13 -5.2 EUR Description`, and each other row as `line 7 failure: its reason`. */
  readonly rows: readonly string[];
}

/**
 * Reads an export whose rows belong to one account, without saved mappings.
 *
 * The reader guesses the role of a column from its header or, if that fails, from its cells. The result does not show which of the two
 * decided, so test a new header in `src/csv/table/detect-columns-by-header.test.ts`.
 */
export async function readExport(
  lines: readonly string[] | Buffer,
  options: Partial<CsvOptions> = {},
): Promise<ReadExport> {
  const path = await writeStatement(Buffer.isBuffer(lines) ? lines : `${lines.join('\r\n')}\r\n`);
  const statement = await openCsv({
    source: fileSource(path),
    csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: true, ...options },
    mappings: { find: async () => undefined, save: async () => {} },
  });
  const rows: string[] = [];
  for await (const row of statement.rows()) {
    if (row.outcome !== 'transaction') {
      rows.push(`line ${row.line} ${row.outcome}: ${row.reason}`);
      continue;
    }
    const { occurredOn, direction, amountDecimal, currencyCode, description } = row.transaction;
    const amount = (direction === 'expense' ? '-' : '+') + amountDecimal;
    rows.push([occurredOn, amount, currencyCode, description].filter((part) => part !== null).join(' '));
  }
  const interpretation = Object.fromEntries(
    (statement.interpretation?.lines ?? []).map(([label, value]) => [
      label,
      value.replace(/^column "(.*)" \(guessed\)$/, '$1'),
    ]),
  );
  const question = statement.interpretation?.question ?? null;
  return { interpretation, mustConfirm: question !== null, question, rows };
}

/** Encodes lines in a single-byte encoding. Characters that the encoding does not have become question marks. */
export function encode(lines: readonly string[], encoding: string): Buffer {
  const bytes = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte -= 1) bytes.set(new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte);
  return Buffer.from([...`${lines.join('\r\n')}\r\n`].map((character) => bytes.get(character) ?? 0x3f));
}

/** Encodes lines in an East Asian encoding, with one or two bytes per character. */
export function encodeWide(lines: readonly string[], encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, readonly number[]>();
  for (let lead = 0x81; lead < 0xff; lead += 1) {
    for (let trail = 0x40; trail < 0xff; trail += 1)
      bytes.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail]);
  }
  for (let byte = 0xff; byte >= 0; byte -= 1) bytes.set(decoder.decode(Uint8Array.of(byte)), [byte]);
  return Buffer.from([...`${lines.join('\r\n')}\r\n`].flatMap((character) => bytes.get(character) ?? [0x3f]));
}
