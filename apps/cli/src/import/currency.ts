import type { OpenedStatement, StatementRow } from '@centavo/statement-reader';

/**
 * Codes that ISO 4217 has replaced by another one for the same unit, and that banks still write. Russian banks write RUR
 * for today's rouble. Codes whose unit changed too, such as DEM, are not here: their amounts would need a conversion.
 */
const successors: Readonly<Record<string, string>> = { RUR: 'RUB' };

/** The code of ISO 4217 for "no currency". */
const noCurrency = 'XXX';

/**
 * Returns the statement with the currency that `--currency` names in place of XXX, or of the code that it replaced.
 * No amount is converted.
 */
export function withNamedCurrency(statement: OpenedStatement, currencyCode: string | undefined): OpenedStatement {
  if (currencyCode === undefined) return statement;
  const replace = (code: string | null) =>
    code !== null && (code === noCurrency || successors[code] === currencyCode) ? currencyCode : code;
  return {
    ...statement,
    ...(statement.accounts !== undefined && {
      accounts: statement.accounts.map((account) => ({ ...account, currencyCode: replace(account.currencyCode) })),
    }),
    rows: () => replaceInRows(statement.rows(), replace),
  };
}

async function* replaceInRows(
  rows: AsyncIterable<StatementRow>,
  replace: (code: string | null) => string | null,
): AsyncGenerator<StatementRow> {
  for await (const row of rows) {
    const currencyCode = row.outcome === 'transaction' ? replace(row.transaction.currencyCode) : null;
    if (row.outcome !== 'transaction' || currencyCode === row.transaction.currencyCode) yield row;
    else yield { ...row, transaction: { ...row.transaction, currencyCode } };
  }
}

/**
 * Returns what to do if rows are in a code that no account can have; undefined if the code is another one.
 * @param accountCurrency the currency of the account that the rows go to
 */
export function currencyRemedy(code: string, accountCurrency: string): string | undefined {
  if (code === noCurrency) return `say --currency ${accountCurrency} if the amounts are in ${accountCurrency}`;
  return successors[code] === accountCurrency
    ? `say --currency ${accountCurrency} if ${code} means ${accountCurrency} here`
    : undefined;
}
