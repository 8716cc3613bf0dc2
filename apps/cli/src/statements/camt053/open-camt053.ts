import { UsageError } from '../../errors.js';
import { chooseEncoding } from '../markup/choose-encoding.js';
import { readXml } from '../markup/read-xml.js';
import { attributeOf, childrenAt, textAt, type XmlElement } from '../markup/xml-element.js';
import { type AccountRow, type FileAccount, openWithAccounts } from '../open-with-accounts.js';
import { peekText } from '../peek-text.js';
import type { OpenedStatement, OpenStatementRequest } from '../statement-format.js';
import { readEntry } from './read-entry.js';

/**
 * Opens a CAMT.053 file (ISO 20022, versions .02 to .08), with all statements that it holds; those of one account are
 * read as one.
 *
 * @throws UsageError (exit 2) for a file that cannot be read, is not well-formed, or holds no statement
 */
export async function openCamt053({ path, csv, onlyAccounts }: OpenStatementRequest): Promise<OpenedStatement> {
  const encoding = await chooseEncoding({ path, wished: csv.encoding, head: await peekText(path) });
  return openWithAccounts({
    path,
    format: 'camt053',
    read: () => readRows(path, encoding),
    only: onlyAccounts,
    reading: null,
  });
}

/** Balances are read only for their currency, which some banks write nowhere else. */
const wholes: ReadonlySet<string> = new Set(['Acct', 'Bal', 'Ntry']);

async function* readRows(path: string, encoding: string): AsyncGenerator<AccountRow> {
  let statement: { account: FileAccount | null; ownerName: string | null } | undefined;
  let hasStatement = false;
  for await (const event of readXml(path, { encoding, wholes })) {
    if (event.kind !== 'element') {
      if (event.name !== 'Stmt') continue;
      hasStatement = true;
      statement = event.kind === 'enter' ? { account: null, ownerName: null } : undefined;
      continue;
    }
    // Outside of a statement these names mean other things.
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
  throw new UsageError(`${path} holds no statement of CAMT.053.`, 'Export the statement again, as CAMT.053.');
}

function currencyOfBalance(balance: XmlElement): string | null {
  return childrenAt(balance, 'Amt').map((amount) => attributeOf(amount, 'Ccy'))[0] ?? null;
}

/** Accounts in several currencies have one number for all of them. */
function toFileAccount(element: XmlElement): FileAccount | null {
  const number = textAt(element, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN');
  const currencyCode = textAt(element, 'Ccy') ?? null;
  return number === undefined ? null : { number, detail: currencyCode ?? '', type: null, currencyCode };
}
