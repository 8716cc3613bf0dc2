import { type AccountRow, openWithAccounts } from '../accounts.js';
import { chooseEncoding } from '../encoding.js';
import type { OpenStatementRequest } from '../options.js';
import { peekText } from '../source.js';
import type { OpenedStatement } from '../statement.js';
import { type OfxEntry, readOfxEntries } from './entries.js';
import { readOfxSgml, readOfxXml } from './records.js';
import { detectOfxSignConvention, type OfxSignConvention } from './signs.js';
import { readOfxTransaction } from './transaction.js';

/**
 * Opens an OFX file, version 1 (SGML) or 2 (XML), with its statements of bank accounts and cards.
 * @throws StatementError if the file cannot be read, breaks off, or has no such statement
 */
export async function openOfx({ source, csv, onlyAccounts }: OpenStatementRequest): Promise<OpenedStatement> {
  const head = await peekText(source);
  const encoding = await chooseEncoding({ source, requested: csv.encoding, head });
  const isXml = /<\?(xml|OFX)\b/i.test(head);
  const readEntries = () =>
    readOfxEntries(isXml ? readOfxXml(source, encoding) : readOfxSgml(source, encoding), source);
  const signs = await detectOfxSignConvention(readEntries());
  return openWithAccounts({
    source,
    format: 'ofx',
    read: () => readRows(readEntries(), signs),
    only: onlyAccounts,
    reading: describeSigns(signs),
  });
}

async function* readRows(entries: AsyncIterable<OfxEntry>, signs: OfxSignConvention): AsyncGenerator<AccountRow> {
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

/**
 * Shows the sign convention to the user, because a file that uses types loosely would be read with all directions
 * reversed.
 */
function describeSigns(signs: OfxSignConvention): Pick<NonNullable<OpenedStatement['reading']>, 'lines'> {
  if (signs.decidedBy === 'sign') return { lines: [] };
  if (signs.decidedBy === 'reversedSign') {
    const line = `every sign contradicts its type, such as that of ${signs.example}: a minus is income, others are expenses`;
    return { lines: [['signs', line]] };
  }
  return { lines: [['signs', `no amount has a minus: the types tell, ${signs.example} is an expense`]] };
}
