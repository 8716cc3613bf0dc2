import { type AccountRow, type FileAccount, openWithAccounts } from '../accounts.js';
import { chooseEncoding } from '../encoding.js';
import { attributeOf, childrenAt, readXml, textAt, type XmlElement } from '../markup/xml.js';
import type { OpenStatementRequest } from '../options.js';
import { peekText, type StatementSource } from '../source.js';
import type { OpenedStatement } from '../statement.js';
import { StatementError } from '../statement-error.js';
import { readEntry } from './entry.js';

/**
 * Opens a CAMT.053 file (ISO 20022, versions .02 to .08) with all its statements. Those of one account are read as one.
 * @throws StatementError if the file cannot be read, is not well-formed, or has no statement
 */
export async function openCamt053({ source, csv, onlyAccounts }: OpenStatementRequest): Promise<OpenedStatement> {
  const encoding = await chooseEncoding({ source, requested: csv.encoding, head: await peekText(source) });
  return openWithAccounts({
    source,
    format: 'camt053',
    read: () => readRows(source, encoding),
    only: onlyAccounts,
    reading: null,
  });
}

/** Of balances only the currency is used: some banks write it nowhere else. */
const elementNames: ReadonlySet<string> = new Set(['Acct', 'Bal', 'Ntry']);

async function* readRows(source: StatementSource, encoding: string): AsyncGenerator<AccountRow> {
  let statement: { account: FileAccount | null; ownerName: string | null } | undefined;
  let hasStatement = false;
  for await (const event of readXml(source, { encoding, elementNames })) {
    if (event.kind !== 'element') {
      if (event.name !== 'Stmt') continue;
      hasStatement = true;
      statement = event.kind === 'enter' ? { account: null, ownerName: null } : undefined;
      continue;
    }
    // Outside a statement these elements have other meanings.
    if (statement === undefined) continue;
    const { name, element, line } = event;
    if (name === 'Ntry') {
      const { account, ownerName } = statement;
      for (const row of readEntry(line, { entry: element, ownerName })) yield { account, row };
      continue;
    }
    if (name === 'Acct') {
      const ownerName = textAt(element, 'Ownr/Nm', 'Ownr/Pty/Nm') ?? null;
      statement = { account: toFileAccount(element), ownerName };
    } else if (statement.account !== null) {
      const currencyCode = statement.account.currencyCode ?? currencyOfBalance(element);
      statement = { ...statement, account: { ...statement.account, currencyCode } };
    }
    if (statement.account !== null) yield { account: statement.account, row: null };
  }
  if (hasStatement) return;
  throw new StatementError(
    `${source.name} holds no statement of CAMT.053.`,
    'Export the statement again, as CAMT.053.',
  );
}

function currencyOfBalance(balance: XmlElement): string | null {
  return childrenAt(balance, 'Amt').map((amount) => attributeOf(amount, 'Ccy'))[0] ?? null;
}

/** Accounts in several currencies share one number. */
function toFileAccount(element: XmlElement): FileAccount | null {
  const number = textAt(element, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN');
  const currencyCode = textAt(element, 'Ccy') ?? null;
  return number === undefined ? null : { number, detail: currencyCode ?? '', type: null, currencyCode };
}
