import { UsageError } from '../../cli-error.js';
import { chooseEncoding } from '../markup/choose-encoding.js';
import { type AccountRow, type FileAccount, openWithAccounts } from '../open-with-accounts.js';
import { peekText } from '../peek-text.js';
import type { OpenedStatement, OpenStatementRequest, StatementAccount } from '../statement-format.js';
import type { OfxEvent, OfxFields } from './ofx-event.js';
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
  const readEvents = () => (isXml ? readOfxXml(path, encoding) : readOfxSgml(path, encoding));
  return openWithAccounts({
    path,
    format: 'ofx',
    read: () => readRows(readEvents(), path),
    only: onlyAccounts,
    reading: null,
  });
}

async function* readRows(events: AsyncIterable<OfxEvent>, path: string): AsyncGenerator<AccountRow> {
  let currencyCode: string | null = null;
  let account: FileAccount | null = null;
  let hasStatement = false;
  for await (const event of events) {
    if (event.kind === 'enter' && (event.name === 'STMTRS' || event.name === 'CCSTMTRS')) {
      currencyCode = null;
      account = null;
      hasStatement = true;
    }
    if (event.kind !== 'record') continue;
    const { name, fields, line } = event;
    if (name === 'CURDEF') currencyCode = fields.get('')?.toUpperCase() ?? null;
    else if (name === 'BANKACCTFROM' || name === 'CCACCTFROM') {
      // Messages of other kinds name accounts too; only those of statements count.
      if (!hasStatement) continue;
      account = toFileAccount(fields, { isCard: name === 'CCACCTFROM', currencyCode });
      if (account !== null) yield { account, row: null };
    } else if (name === 'STMTTRNP') yield { account, row: { line, outcome: 'skipped', reason: 'it is pending' } };
    else yield { account, row: readOfxTransaction(line, { fields, currencyCode }) };
  }
  if (hasStatement) return;
  throw new UsageError(
    `${path} holds no statement of a bank account or a card.`,
    'Export the statement again, as OFX with transactions.',
  );
}

function toFileAccount(
  fields: OfxFields,
  { isCard, currencyCode }: { isCard: boolean; currencyCode: string | null },
): FileAccount | null {
  const number = (fields.get('ACCTID') ?? '').replace(/\s+/g, ' ');
  if (number === '') return null;
  const kind = fields.get('ACCTTYPE')?.toUpperCase() ?? '';
  return {
    number,
    detail: [kind, fields.get('BANKID') ?? ''].join(' ').trim(),
    type: isCard ? 'credit_card' : (types[kind] ?? null),
    currencyCode,
  };
}

const types: Readonly<Record<string, StatementAccount['type']>> = {
  CHECKING: 'checking',
  SAVINGS: 'savings',
  MONEYMRKT: 'savings',
  CD: 'savings',
  CREDITLINE: 'loan',
};
