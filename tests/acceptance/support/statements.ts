import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { repository } from './repository.js';
import type { Sandbox } from './sandbox.js';

/** A bank statement, with the balances after an import into empty accounts. */
export interface KnownStatement {
  readonly path: string;
  readonly rows: number;
  readonly currencyCode: string;
  readonly balances: Readonly<Record<string, string>>;
}

/** The sample statement in the repository. Its balances were computed from the file by a program other than Centavo. */
export const sampleStatement: KnownStatement = {
  path: resolve(repository, 'examples/household-2026.csv'),
  rows: 234,
  currencyCode: 'EUR',
  balances: { Everyday: '6068.82', Savings: '258.40', Card: '-4142.71' },
};

/** A statement of a real household with 808 rows. It must not be published, so it is outside the repository and may be missing. */
const householdStatement: KnownStatement = {
  path: resolve(repository, '../shared/data/statements/personal-transactions.csv'),
  rows: 808,
  currencyCode: 'USD',
  balances: { Checking: '11251.86', 'Platinum Card': '12143.62', 'Silver Card': '4794.00' },
};

export const realStatement = existsSync(householdStatement.path) ? householdStatement : undefined;

/** Two statements of one account of a Dutch bank: credits of 8.85 and debits of 7.00. */
const bankStatement: KnownStatement = {
  path: resolve(repository, '../shared/data/statements/camt053-v2-multi.xml'),
  rows: 2,
  currencyCode: 'EUR',
  balances: { Everyday: '1.85' },
};

export const realBankStatement = existsSync(bankStatement.path) ? bankStatement : undefined;

/** The suffix for the title of a test that is skipped without the real statement. */
export const realStatementNote = realStatement === undefined ? ' (skipped: no such file beside the repository)' : '';

/** Writes a statement of 1,500 incomes and 1,500 expenses. */
export async function writeLongStatement(sandbox: Sandbox): Promise<KnownStatement> {
  const pairs = Array.from({ length: 1_500 }, (_, index) => [
    `2026-03-01,Everyday,2.00,Sale ${index}`,
    `2026-03-01,Everyday,-1.00,Purchase ${index}`,
  ]);
  const rows = ['Date,Account,Amount,Description', ...pairs.flat()];
  const path = await sandbox.writeFile('shop.csv', `${rows.join('\n')}\n`);
  return { path, rows: 3_000, currencyCode: 'EUR', balances: { Everyday: '1500.00' } };
}
