import type { FileAccount } from '../accounts.js';
import type { StatementSource } from '../source.js';
import type { StatementAccount } from '../statement.js';
import { StatementError } from '../statement-error.js';
import type { OfxEvent, OfxFields } from './records.js';

/** A transaction of a statement, pending or not; null for an account that may have none. */
export interface OfxEntry {
  readonly account: FileAccount | null;
  /** CURDEF of the statement; null if it has none. */
  readonly currencyCode: string | null;
  readonly transaction: { readonly line: number; readonly fields: OfxFields; readonly isPending: boolean } | null;
}

/**
 * Yields each transaction with the account and currency of its statement.
 * @throws StatementError if the file has no statement
 */
export async function* readOfxEntries(
  events: AsyncIterable<OfxEvent>,
  source: StatementSource,
): AsyncGenerator<OfxEntry> {
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
      // Messages of other kinds name accounts too.
      if (!hasStatement) continue;
      account = toFileAccount(fields, { isCard: name === 'CCACCTFROM', currencyCode });
      if (account !== null) yield { account, currencyCode, transaction: null };
    } else yield { account, currencyCode, transaction: { line, fields, isPending: name === 'STMTTRNP' } };
  }
  if (hasStatement) return;
  throw new StatementError(
    `${source.name} holds no statement of a bank account or a card.`,
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
