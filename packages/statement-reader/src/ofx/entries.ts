import type { StatementSource } from '../source.js';
import type { StatementAccount } from '../statement.js';
import { StatementError } from '../statement-error.js';
import type { FileAccount } from '../survey-accounts.js';
import type { OfxEvent, OfxFields } from './records.js';

/**
 * One part of a statement, such as a transaction or a balance, with the account and currency of the statement. In an entry of the kind
 * `investments`, account and currency have no meaning: they belong to the statement before it.
 */
export type OfxEntry = {
  readonly account: FileAccount | null;
  /** The currency of the statement (CURDEF); null if the statement names none. */
  readonly currencyCode: string | null;
} & (
  | { readonly kind: 'account' | 'end' | 'investments' }
  | { readonly kind: 'firstDay' | 'lastDay' | 'balance'; readonly fields: OfxFields }
  | {
      readonly kind: 'transaction';
      readonly line: number;
      readonly fields: OfxFields;
      readonly isPending: boolean;
    }
);

/**
 * Yields each transaction with the account and currency of its statement. Also yields the account, the first and the last day, the ledger
 * balance and the end of each statement. May yield more than one `end` for a statement. For an investment statement, yields only one entry.
 * The order is that of the file.
 * @throws StatementError if the file has no statement of a bank account or a card
 */
export async function* readOfxEntries(
  events: AsyncIterable<OfxEvent>,
  source: StatementSource,
): AsyncGenerator<OfxEntry> {
  let statement: Pick<OfxEntry, 'account' | 'currencyCode'> = { account: null, currencyCode: null };
  let hasStatement = false;
  // Records outside the statements of bank accounts and cards are ignored: OFX messages of other kinds also contain accounts, and
  // investment messages also contain transactions.
  let isInside = false;
  for await (const event of events) {
    if (event.kind !== 'record') {
      if (event.name === 'INVSTMTRS') {
        isInside = false;
        if (event.kind === 'enter') yield { ...statement, kind: 'investments' };
      }
      if (event.name !== 'STMTRS' && event.name !== 'CCSTMTRS') continue;
      if (hasStatement) yield { ...statement, kind: 'end' };
      hasStatement = true;
      isInside = event.kind === 'enter';
      if (event.kind === 'enter') statement = { account: null, currencyCode: null };
      continue;
    }
    const { name, fields, line } = event;
    if (!isInside) continue;
    if (name === 'STMTTRN' || name === 'STMTTRNP') {
      // A hold is a pending transaction, but some banks write it among the booked transactions.
      const isPending = name === 'STMTTRNP' || fields.get('TRNTYPE')?.toUpperCase() === 'HOLD';
      yield { ...statement, kind: 'transaction', line, fields, isPending };
    } else if (name === 'CURDEF') {
      statement = { ...statement, currencyCode: fields.get('')?.toUpperCase() ?? null };
    } else if (name === 'DTSTART' || name === 'DTEND' || name === 'LEDGERBAL') {
      yield { ...statement, kind: kinds[name], fields };
    } else {
      const { currencyCode } = statement;
      statement = { currencyCode, account: toFileAccount(fields, { isCard: name === 'CCACCTFROM', currencyCode }) };
      yield { ...statement, kind: 'account' };
    }
  }
  if (hasStatement) {
    yield { ...statement, kind: 'end' };
    return;
  }
  throw new StatementError(
    `${source.name} has no statement of a bank account or a card.`,
    'Export the transactions of a bank account or a card as OFX. Investment statements are not read.',
  );
}

const kinds = { DTSTART: 'firstDay', DTEND: 'lastDay', LEDGERBAL: 'balance' } as const;

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
