import { openStatement } from '../src/open-statement.js';
import { fileSource } from '../src/source.js';
import type { StatementRow, StatementTransaction } from '../src/statement.js';
import { writeStatement } from './statement-files.js';

type CsvOptions = Partial<Parameters<typeof openStatement>[0]['csv']>;

/** Opens a statement without saved mappings. */
export function openInTest(
  path: string,
  request: { options?: CsvOptions; format?: string; onlyAccounts?: string[] } = {},
) {
  return openStatement({
    source: fileSource(path),
    format: request.format,
    csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: true, ...request.options },
    mappings: { find: async () => undefined, save: async () => {} },
    ...(request.onlyAccounts !== undefined && { onlyAccounts: request.onlyAccounts }),
  });
}

/** Reads a statement from its text. Returns its rows, and one line for each transaction: `2026-01-02 -5 Shop | Lunch`. */
export async function readInTest(content: string | Buffer, request: Parameters<typeof openInTest>[1] = {}) {
  const statement = await openInTest(await writeStatement(content, 'statement'), request);
  const rows: StatementRow[] = [];
  for await (const row of statement.rows()) rows.push(row);
  const transactions = rows.flatMap((row) => (row.outcome === 'transaction' ? [row.transaction] : []));
  return { statement, rows, transactions, lines: transactions.map(toLine) };
}

function toLine({ occurredOn, direction, amountDecimal, merchantName, description }: StatementTransaction): string {
  const texts = [merchantName, description].filter((text) => text !== null).join(' | ');
  return `${occurredOn} ${direction === 'expense' ? '-' : ''}${amountDecimal} ${texts}`.trim();
}
