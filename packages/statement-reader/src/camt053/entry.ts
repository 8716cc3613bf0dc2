import { isCalendarDate } from '@centavo/contracts/calls';
import { attributeOf, childrenAt, noElement, textAt, textOf, type XmlElement } from '../markup/xml.js';
import type { StatementDirection, StatementRow, StatementTransaction } from '../statement.js';
import { descriptionCharactersMax, merchantCharactersMax, tidyText, toStatementId } from '../texts.js';
import { addDecimals } from '../totals.js';
import { parseAmount } from '../values/amounts.js';

/**
 * Returns the rows of one entry (`Ntry`). A batch (an entry with several payments, `TxDtls`) becomes one row for each payment if every
 * payment has an amount and the amounts add up to the amount of the entry. Otherwise the entry is one row.
 *
 * `CdtDbtInd` is the direction of the entry itself, even for a reversal (`RvslInd`). For example, the reversal of a debit
 * has `CRDT`.
 * @param ownerName the name of the account's owner, which is never returned as the counterparty
 * @param statementDay the day to use for an entry without a date; undefined if it is unknown
 * @source ISO 20022 message definition report of camt.053, CreditDebitIndicator and ReversalIndicator
 */
export function readEntry(
  line: number,
  { entry, ownerName, statementDay }: { entry: XmlElement; ownerName: string | null; statementDay: string | undefined },
): readonly StatementRow[] {
  const failure = (reason: string): StatementRow[] => [{ line, outcome: 'failure', reason }];
  const status = textAt(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts')?.toUpperCase() ?? 'BOOK';
  if (status === 'INFO') return [{ line, outcome: 'skipped', reason: 'it is for information only' }];
  if (status !== 'BOOK') return [{ line, outcome: 'skipped', reason: 'it is pending' }];

  const dateText = textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? statementDay;
  if (dateText === undefined) return failure('it has no date (BookgDt, ValDt)');
  const occurredOn = dateText.slice(0, 10);
  if (!isCalendarDate(occurredOn)) return failure(`"${dateText}" is not a date (BookgDt, ValDt)`);
  const whole = readAmount(entry);
  if ('reason' in whole) return failure(whole.reason);
  if (whole.amountDecimal === '0') return [{ line, outcome: 'skipped', reason: 'its amount is zero' }];

  const id = entryId(entry);
  const payments = childrenAt(entry, 'NtryDtls/TxDtls');
  const parts = splitBatch(payments, whole);
  const isReversal = /^(true|1)$/.test(textAt(entry, 'RvslInd') ?? '');
  const toRow = (amount: EntryAmount, payment: XmlElement, statementId: string | null): StatementRow => {
    const { direction, amountDecimal, currencyCode } = amount;
    if (amountDecimal === '0') return { line, outcome: 'skipped', reason: 'its amount is zero' };
    const texts = describeEntry({ entry, payment, direction, isReversal, ownerName });
    const transaction: StatementTransaction = {
      direction,
      amountDecimal,
      currencyCode,
      occurredOn,
      ...texts,
      categoryName: null,
      accountName: null,
      statementId,
    };
    return { line, outcome: 'transaction', transaction };
  };
  if (parts === undefined) {
    const [only = noElement] = payments.length === 1 ? payments : [];
    return [toRow(whole, only, id ?? paymentId(only))];
  }
  const rows = parts.map(({ amount, payment }, index) => {
    const own = paymentId(payment);
    // The payments of a batch share the reference of the entry. So the id of a payment consists of the entry's reference and the
    // payment's reference. If the payment has no reference, its number in the batch is used instead.
    return toRow(amount, payment, id === null ? own : `${id}/${own ?? index + 1}`);
  });
  return numberEqualPayments(rows);
}

/**
 * Appends a number to the ids of rows that are equal to an earlier row of the same batch. The amounts of a batch add up to the amount of
 * its entry, so equal rows are different payments, although their bank gives each of them the same reference.
 */
function numberEqualPayments(rows: readonly StatementRow[]): readonly StatementRow[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    if (row.outcome !== 'transaction' || row.transaction.statementId === null) return row;
    const content = JSON.stringify(row.transaction);
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    if (count === 1) return row;
    return { ...row, transaction: { ...row.transaction, statementId: `${row.transaction.statementId}/${count}` } };
  });
}

/** The amount, direction and currency of an entry, a payment or a balance. */
export interface EntryAmount {
  readonly direction: StatementDirection;
  readonly amountDecimal: string;
  readonly currencyCode: string | null;
}

/**
 * Returns the payments of a batch with their amounts. Returns undefined if there are fewer than two payments, a payment has
 * no amount, or the amounts do not add up to the amount of the entry.
 */
function splitBatch(
  payments: readonly XmlElement[],
  whole: EntryAmount,
): readonly { payment: XmlElement; amount: EntryAmount }[] | undefined {
  if (payments.length < 2) return undefined;
  const parts = payments.map((payment) => ({ payment, amount: readPaymentAmount(payment, whole) }));
  const known = parts.flatMap(({ payment, amount }) => (amount === undefined ? [] : [{ payment, amount }]));
  if (known.length < parts.length) return undefined;
  const sum = addDecimals(known.map(({ amount }) => signed(amount)));
  return sum === signed(whole) ? known : undefined;
}

/** Returns an amount with its sign. A minus means money out, or a balance below zero. */
export function signed({ direction, amountDecimal }: EntryAmount): string {
  return direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
}

/**
 * Returns the amount of a payment in the currency of the entry; undefined if the payment has no such amount. Amounts in other currencies
 * are ignored, because they are the amounts before the bank converted them.
 */
function readPaymentAmount(payment: XmlElement, whole: EntryAmount): EntryAmount | undefined {
  const amounts = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'].flatMap((path) => childrenAt(payment, path));
  const own = amounts.find((amount) => (attributeOf(amount, 'Ccy') ?? whole.currencyCode) === whole.currencyCode);
  const amountDecimal = own === undefined ? undefined : parsePlain(textOf(own) ?? '');
  if (amountDecimal === undefined) return undefined;
  return { ...whole, amountDecimal, direction: readDirection(payment) ?? whole.direction };
}

/** Returns the amount of an entry or a balance, or the reason why it has no readable amount. */
export function readAmount(entry: XmlElement): EntryAmount | { readonly reason: string } {
  const [amount = noElement] = childrenAt(entry, 'Amt');
  const text = textOf(amount) ?? '';
  const amountDecimal = parsePlain(text);
  if (amountDecimal === undefined) return { reason: `"${text}" is not an amount (Amt)` };
  const direction = readDirection(entry);
  if (direction === undefined) return { reason: 'it has neither CRDT nor DBIT (CdtDbtInd)' };
  return { direction, amountDecimal, currencyCode: attributeOf(amount, 'Ccy')?.toUpperCase() ?? null };
}

function readDirection(element: XmlElement): StatementDirection | undefined {
  const text = textAt(element, 'CdtDbtInd');
  if (text === 'CRDT') return 'income';
  return text === 'DBIT' ? 'expense' : undefined;
}

/** Parses an ISO 20022 amount: digits with an optional decimal point, without a sign or thousands separators. */
function parsePlain(text: string): string | undefined {
  return /^\d+(\.\d*)?$/.test(text) ? parseAmount(text, '.')?.amountDecimal : undefined;
}

/**
 * Returns the counterparty and the text of an entry. A reversal names the parties of the reversed payment, so payer and
 * payee are swapped. If the bank names only one party, that party is the counterparty, unless it owns the account.
 */
export function describeEntry(input: {
  readonly entry: XmlElement;
  readonly payment: XmlElement;
  readonly direction: StatementDirection;
  readonly isReversal: boolean;
  readonly ownerName: string | null;
}): Pick<StatementTransaction, 'description' | 'merchantName'> {
  const { entry, payment } = input;
  const isCounterpartyPayer = (input.direction === 'income') !== input.isReversal;
  const parties = isCounterpartyPayer ? ['Dbtr', 'Cdtr'] : ['Cdtr', 'Dbtr'];
  const names = parties.map((party) => partyName(payment, party)).filter((name) => name !== input.ownerName);
  const remittance = childrenAt(payment, 'RmtInf/Ustrd').flatMap((line) => textOf(line) ?? []);
  const text =
    remittance.length > 0
      ? remittance.join(' ')
      : textAt(payment, 'RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/AddtlRmtInf', 'AddtlTxInf');
  return {
    description: tidyText(text ?? textAt(entry, 'AddtlNtryInf'), descriptionCharactersMax),
    merchantName: tidyText(
      names.find((name) => name !== undefined),
      merchantCharactersMax,
    ),
  };
}

/** Returns the name of a party. Since version .08 the name is one level deeper, in `Pty` or `Agt`. */
function partyName(payment: XmlElement, party: string): string | undefined {
  const place = `RltdPties/${party}`;
  return textAt(payment, `${place}/Nm`, `${place}/Pty/Nm`, `${place}/Agt/FinInstnId/Nm`);
}

/**
 * Returns the bank's reference of an entry: `AcctSvcrRef`, otherwise `NtryRef`; null if there is none. `NtryRef` is often only a counter
 * within one statement, so a value of up to six digits is ignored.
 */
export function entryId(entry: XmlElement): string | null {
  const reference = toStatementId(textAt(entry, 'NtryRef'));
  const isCounter = reference !== null && /^\d{1,6}$/.test(reference);
  return toStatementId(textAt(entry, 'AcctSvcrRef')) ?? (isCounter ? null : reference);
}

/** Returns the bank's reference of one payment, or null. `EndToEndId` is ignored, because the payer chooses it and may repeat it. */
export function paymentId(payment: XmlElement): string | null {
  return (
    toStatementId(textAt(payment, 'Refs/AcctSvcrRef')) ??
    toStatementId(textAt(payment, 'Refs/TxId')) ??
    toStatementId(textAt(payment, 'Refs/Prtry/Ref'))
  );
}
