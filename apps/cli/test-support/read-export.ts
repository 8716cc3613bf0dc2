import type { CsvWishes } from '../src/statements/csv/csv-plan.js';
import { openCsv } from '../src/statements/csv/open-csv.js';
import { writeStatement } from './statement-files.js';

/** What came of reading an export without any flag but the account. */
export interface ReadExport {
  /** What is shown for confirmation, by label: `columns`, `date format`, `signs` … */
  readonly reading: Readonly<Record<string, string>>;
  readonly mustConfirm: boolean;
  /** `2026-01-13 -5.2 EUR Description`, or `line 7 failure: its reason`. */
  readonly rows: readonly string[];
}

/** Reads an export as an import with `--account` does. */
export async function readExport(
  lines: readonly string[] | Buffer,
  wishes: Partial<CsvWishes> = {},
): Promise<ReadExport> {
  const path = await writeStatement(Buffer.isBuffer(lines) ? lines : `${lines.join('\r\n')}\r\n`);
  const statement = await openCsv({
    path,
    csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: true, ...wishes },
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
  const reading = Object.fromEntries(
    (statement.reading?.lines ?? []).map(([label, value]) => [
      label,
      value.replace(/^column "(.*)" \(guessed\)$/, '$1'),
    ]),
  );
  return { reading, mustConfirm: statement.reading?.doubt != null, rows };
}

/** Text in an encoding of one byte a character, as older banks write it. */
export function encode(lines: readonly string[], encoding: string): Buffer {
  const bytes = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte -= 1) bytes.set(new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte);
  return Buffer.from([...`${lines.join('\r\n')}\r\n`].map((character) => bytes.get(character) ?? 0x3f));
}
