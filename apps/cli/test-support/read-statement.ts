import { openStatement } from '../src/statements/open-statement.js';
import type { StatementRow, StatementTransaction } from '../src/statements/statement-row.js';
import { writeStatement } from './statement-files.js';

type Wishes = Partial<Parameters<typeof openStatement>[0]['csv']>;

/** Opens a statement without an import around it: nothing is remembered, nothing asked. */
export function openInTest(path: string, request: { wishes?: Wishes; format?: string; onlyAccounts?: string[] } = {}) {
  return openStatement({
    path,
    format: request.format,
    csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: true, ...request.wishes },
    mappings: { find: async () => undefined, save: async () => {} },
    ...(request.onlyAccounts !== undefined && { onlyAccounts: request.onlyAccounts }),
  });
}

/** Reads a statement from its text: its rows, and its transactions in one line each: `2026-01-02 -5 Shop | Lunch`. */
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
