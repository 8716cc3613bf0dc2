import { openWithAccounts } from '../accounts.js';
import { reversedSigns } from '../card-signs.js';
import { chooseEncoding } from '../encoding.js';
import type { OpenStatementRequest } from '../options.js';
import { peekText } from '../source.js';
import type { OpenedStatement, StatementDirection, StatementRow } from '../statement.js';
import type { AccountRow } from '../survey-accounts.js';
import { PointsOfAmounts } from './amounts.js';
import { OfxBalances } from './balances.js';
import { Corrections } from './corrections.js';
import { EarlierBalances } from './earlier-balances.js';
import { type OfxEntry, readOfxEntries } from './entries.js';
import { readOfxSgml, readOfxXml } from './records.js';
import { detectOfxSignConvention, type OfxSignConvention } from './signs.js';
import { readOfxTransaction } from './transaction.js';

/**
 * Opens an OFX file, version 1 (SGML) or 2 (XML), with its statements of bank accounts and cards.
 * @throws StatementError if the file cannot be read, is incomplete, or contains no such statement
 */
export async function openOfx(request: OpenStatementRequest): Promise<OpenedStatement> {
  const { source, csv } = request;
  const head = await peekText(source);
  const encoding = await chooseEncoding({ source, requested: csv.encoding, head });
  const isXml = /<\?(xml|OFX)\b/i.test(head) && !hasOpenValues(head);
  const readEntries = () =>
    readOfxEntries(isXml ? readOfxXml(source, encoding) : readOfxSgml(source, encoding), source);
  const { minusMeans, finalStatuses = [] } = csv;
  const points = new PointsOfAmounts();
  const requested = minusMeans === undefined ? undefined : requestedSigns(minusMeans);
  const investments = new InvestmentStatements();
  const corrections = new Corrections({ ignoresIds: csv.columns.id === '' });
  const watched = corrections.watch(investments.watch(points.watch(readEntries())));
  const signs = await detectOfxSignConvention(watched, requested);
  await corrections.find(readEntries, (entry) => readRow(entry, { signs, points, finalStatuses }));
  const earlier = new EarlierBalances({ fileName: source.name, store: request.balances });
  const statement = await openWithAccounts({
    source,
    format: 'ofx',
    read: () => readRows(readEntries(), { signs, points, earlier, finalStatuses, corrections }),
    request,
    interpretation: { lines: [...describeSigns(signs), ...investments.describe()] },
  });
  return { ...statement, saveBalances: () => earlier.save() };
}

type Lines = NonNullable<OpenedStatement['interpretation']>['lines'];

/** Counts the investment statements of a file, which are not read. */
class InvestmentStatements {
  #count = 0;

  /** Yields the entries unchanged, and counts the investment statements. */
  async *watch(entries: AsyncIterable<OfxEntry>): AsyncGenerator<OfxEntry> {
    for await (const entry of entries) {
      if (entry.kind === 'investments') this.#count += 1;
      yield entry;
    }
  }

  describe(): Lines {
    if (this.#count === 0) return [];
    return [['left out', `${this.#count} investment ${this.#count === 1 ? 'statement' : 'statements'}`]];
  }
}

/**
 * Returns whether the beginning of a file has a value without an end tag, as in `<CODE>0<SEVERITY>`. Such a file is SGML even if it has the
 * header of OFX 2: some banks write this header above the SGML of OFX 1.
 */
function hasOpenValues(head: string): boolean {
  const values = head.matchAll(/<([\w.]+)>\s*[^<\s][^<]*<(\/?[\w.]+)>/g);
  return [...values].some(([, name, next]) => next !== `/${name}`);
}

type RowReading = Pick<Parameters<typeof readOfxTransaction>[1], 'signs' | 'points' | 'finalStatuses'>;

async function* readRows(
  entries: AsyncIterable<OfxEntry>,
  { earlier, corrections, ...interpretation }: RowReading & { earlier: EarlierBalances; corrections: Corrections },
): AsyncGenerator<AccountRow> {
  const balances = new OfxBalances(earlier, interpretation.points);
  for await (const entry of entries) {
    const { kind, account, currencyCode } = entry;
    if (kind === 'transaction') {
      const decided = corrections.decide(entry);
      const row = decided ?? withReplaced(readRow(entry, interpretation), corrections.replacedIdOf(entry));
      balances.addRow(row, account);
      yield { account, row, note: decided?.outcome === 'skipped' ? decided.reason : undefined };
    } else if (kind === 'firstDay') balances.setStart(entry.fields);
    else if (kind === 'lastDay') balances.setEnd(entry.fields);
    else if (kind === 'balance') balances.setBalance(entry.fields, currencyCode);
    else if (kind !== 'investments') {
      if (account !== null) await balances.findEarlier(account);
      if (kind === 'account') yield { account, row: null };
      else {
        const facts = { id: null, balances: balances.text, days: balances.days };
        yield { account, row: null, balance: balances.end(account, currencyCode), facts };
      }
    }
  }
}

function readRow(entry: Extract<OfxEntry, { kind: 'transaction' }>, interpretation: RowReading): StatementRow {
  const { line, fields, account, currencyCode } = entry;
  if (entry.isPending) return { line, outcome: 'skipped', reason: 'it is pending' };
  return readOfxTransaction(line, { fields, currencyCode, accountType: account?.type ?? null, ...interpretation });
}

function withReplaced(row: StatementRow, replacedId: string | undefined): StatementRow {
  if (row.outcome !== 'transaction' || replacedId === undefined) return row;
  return { ...row, transaction: { ...row.transaction, replacedId } };
}

function requestedSigns(minusMeans: StatementDirection): OfxSignConvention {
  return minusMeans === 'income' ? { decidedBy: 'reversedSign', example: undefined } : { decidedBy: 'sign' };
}

/**
 * Describes a sign convention other than that of OFX, so that the user can check it. The convention may have been detected
 * from the transaction types. If the bank wrote wrong types, all directions of the file are wrong.
 */
function describeSigns(signs: OfxSignConvention): Lines {
  if (signs.decidedBy === 'sign') return [];
  if (signs.decidedBy === 'reversedSign') {
    if (signs.example === undefined) return [['signs', reversedSigns]];
    const line = `no amount has the sign that its transaction type requires (for example ${signs.example}): ${reversedSigns}`;
    return [['signs', line]];
  }
  const example = signs.example === undefined ? '' : `: ${signs.example} is an expense`;
  return [['signs', `no amount has a minus, so the types decide${example}`]];
}
