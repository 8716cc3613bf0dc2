import { isCalendarDate } from '@centavo/contracts/calls';
import { openWithAccounts } from '../accounts.js';
import { chooseEncoding } from '../encoding.js';
import { attributeOf, childrenAt, readXml, textAt, textOf, type XmlElement, type XmlEvent } from '../markup/xml.js';
import type { OpenStatementRequest } from '../options.js';
import { peekText, type StatementSource } from '../source.js';
import type { OpenedStatement, StatementRow } from '../statement.js';
import { StatementError } from '../statement-error.js';
import type { AccountRow, FileAccount } from '../survey-accounts.js';
import { toStatementId } from '../texts.js';
import { CamtBalances, isWhole } from './balances.js';
import { EarlierStatements } from './earlier-statements.js';
import { readEntry } from './entry.js';
import { CamtTotals } from './totals.js';

/**
 * Opens a CAMT.053 file (ISO 20022, versions .02 to .08). Statements of the same account are read as one account.
 * @throws StatementError if the file cannot be read, is not well-formed, or contains no statement
 */
export async function openCamt053(request: OpenStatementRequest): Promise<OpenedStatement> {
  const { source, csv } = request;
  const encoding = await chooseEncoding({ source, requested: csv.encoding, head: await peekText(source) });
  const earlier = new EarlierStatements({ fileName: source.name, store: request.balances });
  const statement = await openWithAccounts({
    source,
    format: 'camt053',
    read: () => readRows(source, { encoding, earlier }),
    request,
    interpretation: null,
  });
  return { ...statement, saveBalances: () => earlier.save() };
}

const elementNames: ReadonlySet<string> = new Set([
  'MsgPgntn',
  'Id',
  'StmtPgntn',
  'ElctrncSeqNb',
  'FrToDt',
  'Acct',
  'Bal',
  'TxsSummry',
  'Ntry',
]);

async function* readRows(
  source: StatementSource,
  { encoding, earlier }: { encoding: string; earlier: EarlierStatements },
): AsyncGenerator<AccountRow> {
  let statement: OpenStatement | undefined;
  let isWholeMessage = true;
  let hasStatement = false;
  for await (const event of readXml(source, { encoding, elementNames })) {
    if (event.kind === 'element') {
      if (event.name === 'MsgPgntn') isWholeMessage = isWhole(event.element);
      // All other elements outside a statement are ignored: there, a name such as `Acct` may have another meaning.
      if (statement !== undefined) yield* readElement(event, statement);
    } else if (event.name === 'Stmt') {
      hasStatement = true;
      if (statement !== undefined) yield await endStatement(statement, earlier);
      statement = event.kind === 'enter' ? newStatement(isWholeMessage) : undefined;
    }
  }
  if (hasStatement) return;
  throw new StatementError(
    `${source.name} contains no CAMT.053 statement.`,
    'Export the statement again, as CAMT.053.',
  );
}

/** A statement whose end has not been read yet. */
interface OpenStatement {
  id: string | null;
  sequenceNumber: string | null;
  account: FileAccount | null;
  ownerName: string | null;
  /** The first and the last day of the period that the statement names (FrToDt); empty if it names none. */
  period: readonly string[];
  /**
   * The currency of the first balance. It is used only if neither the account nor its entries name a currency, because
   * the currency of a balance may differ from the currency of the account.
   */
  currencyOfBalance: string | null;
  readonly balances: CamtBalances;
  readonly totals: CamtTotals;
}

function newStatement(isWholeMessage: boolean): OpenStatement {
  return {
    id: null,
    sequenceNumber: null,
    account: null,
    ownerName: null,
    period: [],
    currencyOfBalance: null,
    balances: new CamtBalances(isWholeMessage),
    totals: new CamtTotals(isWholeMessage),
  };
}

function* readElement(
  { name, element, line }: Extract<XmlEvent, { kind: 'element' }>,
  statement: OpenStatement,
): Generator<AccountRow> {
  const { account, ownerName, balances, totals } = statement;
  // The id of the statement is its first element. Later elements may contain other ids.
  if (name === 'Id') {
    if (account === null) statement.id ??= toStatementId(textOf(element));
  } else if (name === 'ElctrncSeqNb') statement.sequenceNumber ??= toStatementId(textOf(element));
  else if (name === 'FrToDt') statement.period = daysOf(element);
  else if (name === 'TxsSummry') totals.addSummary(element);
  else if (name === 'StmtPgntn') {
    balances.addPage(element);
    totals.addPage(isWhole(element));
  } else if (name === 'Bal') {
    balances.addBalance(element);
    statement.currencyOfBalance ??= childrenAt(element, 'Amt').map((amount) => attributeOf(amount, 'Ccy'))[0] ?? null;
  } else if (name === 'Ntry') {
    const rows = readEntry(line, { entry: element, ownerName, statementDay: balances.onlyDay });
    balances.addEntry(rows);
    totals.addEntry(element, rows);
    for (const row of rows) yield { account: withCurrency(account, currencyOf(row)), row };
  } else if (name === 'Acct') {
    statement.ownerName = textAt(element, 'Ownr/Nm', 'Ownr/Pty/Nm') ?? null;
    statement.account = toFileAccount(element);
    if (statement.account !== null) yield { account: statement.account, row: null };
  }
}

/**
 * Returns the account of a statement that has been read to its end, the result of the check of its balances or totals, and the facts that
 * identify the statement. If neither Acct nor the entries name the currency of the account, the currency of the first balance is used.
 */
async function endStatement(statement: OpenStatement, earlier: EarlierStatements): Promise<AccountRow> {
  const { id, sequenceNumber, period, balances, totals } = statement;
  const account = withCurrency(statement.account, statement.currencyOfBalance);
  const ids = [id, sequenceNumber].filter((part) => part !== null);
  // If the balances agree with the entries, no entry is missing. Totals that differ then only show that the bank counts in another way.
  const { between } = balances;
  const balance = balances.finding?.kind === 'agrees' ? balances.finding : (totals.finding ?? balances.finding);
  return {
    account,
    row: null,
    balance,
    facts: {
      id: ids.length === 0 ? null : ids.join(' '),
      balances: balances.text,
      // The days of balances are more exact: a period may end at the first moment of the next day.
      days: between === undefined ? [...period, ...balances.days] : balances.days,
      between,
      earlier: account === null || between === undefined ? undefined : await earlier.find(account, between),
    },
  };
}

/** Returns the first and the last day of FrToDt, without those that are missing. */
function daysOf(period: XmlElement): readonly string[] {
  return ['FrDtTm', 'ToDtTm', 'FrDt', 'ToDt']
    .map((name) => textAt(period, name)?.slice(0, 10) ?? '')
    .filter(isCalendarDate);
}

function currencyOf(row: StatementRow): string | null {
  return row.outcome === 'transaction' ? row.transaction.currencyCode : null;
}

function withCurrency(account: FileAccount | null, currencyCode: string | null): FileAccount | null {
  return account === null || account.currencyCode !== null ? account : { ...account, currencyCode };
}

/**
 * Returns the account that an Acct element describes. The `detail` of the account is its currency, because several accounts
 * may share a number and differ only in the currency.
 */
function toFileAccount(element: XmlElement): FileAccount | null {
  const number = textAt(element, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN');
  const currencyCode = textAt(element, 'Ccy') ?? null;
  return number === undefined ? null : { number, detail: currencyCode ?? '', type: null, currencyCode };
}
