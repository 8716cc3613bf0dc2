import { chooseEncoding } from '../markup/choose-encoding.js';
import { type AccountRow, openWithAccounts } from '../open-with-accounts.js';
import { peekText } from '../peek-text.js';
import type { OpenedStatement, OpenStatementRequest } from '../statement-format.js';
import { type OfxSigns, settleOfxSigns } from './ofx-signs.js';
import { type OfxEntry, readOfxEntries } from './read-ofx-entries.js';
import { readOfxSgml } from './read-ofx-sgml.js';
import { readOfxTransaction } from './read-ofx-transaction.js';
import { readOfxXml } from './read-ofx-xml.js';

/**
 * Opens an OFX file, version 1 (SGML) or 2 (XML), with the statements of bank accounts and cards that it holds.
 * @throws UsageError (exit 2) for a file that cannot be read, breaks off, or holds no such statement
 */
export async function openOfx({ path, csv, onlyAccounts }: OpenStatementRequest): Promise<OpenedStatement> {
  const head = await peekText(path);
  const encoding = await chooseEncoding({ path, wished: csv.encoding, head });
  const isXml = /<\?(xml|OFX)\b/i.test(head);
  const readEntries = () => readOfxEntries(isXml ? readOfxXml(path, encoding) : readOfxSgml(path, encoding), path);
  const signs = await settleOfxSigns(readEntries());
  return openWithAccounts({
    path,
    format: 'ofx',
    read: () => readRows(readEntries(), signs),
    only: onlyAccounts,
    reading: describeSigns(signs),
  });
}

async function* readRows(entries: AsyncIterable<OfxEntry>, signs: OfxSigns): AsyncGenerator<AccountRow> {
  for await (const { account, currencyCode, transaction } of entries) {
    if (transaction === null) yield { account, row: null };
    else if (transaction.isPending) {
      yield { account, row: { line: transaction.line, outcome: 'skipped', reason: 'it is pending' } };
    } else {
      const { line, fields } = transaction;
      const accountType = account?.type ?? null;
      yield { account, row: readOfxTransaction(line, { fields, currencyCode, accountType, signs }) };
    }
  }
}

/** A person is shown where types count, since a file that uses them loosely would have its rows turned around. */
function describeSigns(signs: OfxSigns): Pick<NonNullable<OpenedStatement['reading']>, 'lines'> {
  if (signs.told === 'bySign') return { lines: [] };
  if (signs.told === 'byTurnedSign') {
    const told = `every sign contradicts its type, such as that of ${signs.example}: a minus is income, others are expenses`;
    return { lines: [['signs', told]] };
  }
  return { lines: [['signs', `no amount has a minus: the types tell, ${signs.example} is an expense`]] };
}
