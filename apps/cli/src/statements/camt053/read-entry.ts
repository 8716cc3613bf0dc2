import { addDecimals } from '../add-decimals.js';
import { parseAmount } from '../csv/parse-amount.js';
import { isCalendarDate } from '../is-calendar-date.js';
import { attributeOf, childrenAt, noElement, textAt, textOf, type XmlElement } from '../markup/xml-element.js';
import type { StatementDirection, StatementRow, StatementTransaction } from '../statement-row.js';
import { describeEntry } from './describe-entry.js';
import { entryId, paymentId } from './entry-id.js';

/**
 * Makes the rows of one Ntry: one, or one for each TxDtls of a batch, where each has an amount of its own and they add
 * up to the entry. A batch whose parts do not tell their amounts stays one row.
 *
 * `CdtDbtInd` tells the side of the entry itself, also of a reversal (`RvslInd`): a reversed debit is a credit entry
 * already, and turning it again would record it on the wrong side. Source: ISO 20022 message definition report of
 * camt.053, CreditDebitIndicator and ReversalIndicator.
 *
 * @param ownerName whose account it is, not to be taken for whom it was paid to
 */
export function readEntry(
  line: number,
  { entry, ownerName }: { entry: XmlElement; ownerName: string | null },
): readonly StatementRow[] {
  const failure = (reason: string): StatementRow[] => [{ line, outcome: 'failure', reason }];
  const status = textAt(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts')?.toUpperCase() ?? 'BOOK';
  if (status === 'INFO') return [{ line, outcome: 'skipped', reason: 'it is told for information only' }];
  if (status !== 'BOOK') return [{ line, outcome: 'skipped', reason: 'it is pending' }];

  const dateText = textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? '';
  const occurredOn = dateText.slice(0, 10);
  if (!isCalendarDate(occurredOn)) return failure(`"${dateText}" is not a date (BookgDt)`);
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
  return parts.map(({ amount, payment }, index) => {
    const own = paymentId(payment);
    // Its place in the batch is as lasting as the entry's reference, and parts may share a reference of theirs.
    return toRow(amount, payment, id === null ? own : `${id}/${own ?? index + 1}`);
  });
}

interface EntryAmount {
  readonly direction: StatementDirection;
  readonly amountDecimal: string;
  readonly currencyCode: string | null;
}

/** The amounts of a batch's payments, if they tell all of the entry; undefined where the entry itself is the row. */
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

function signed({ direction, amountDecimal }: EntryAmount): string {
  return direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
}

/** Of the amounts that a payment tells, the one in the entry's currency; the others are what it was before. */
function readPaymentAmount(payment: XmlElement, whole: EntryAmount): EntryAmount | undefined {
  const amounts = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'].flatMap((path) => childrenAt(payment, path));
  const own = amounts.find((amount) => (attributeOf(amount, 'Ccy') ?? whole.currencyCode) === whole.currencyCode);
  const amountDecimal = own === undefined ? undefined : parsePlain(textOf(own) ?? '');
  if (amountDecimal === undefined) return undefined;
  return { ...whole, amountDecimal, direction: readDirection(payment) ?? whole.direction };
}

function readAmount(entry: XmlElement): EntryAmount | { readonly reason: string } {
  const [amount = noElement] = childrenAt(entry, 'Amt');
  const text = textOf(amount) ?? '';
  const amountDecimal = parsePlain(text);
  if (amountDecimal === undefined) return { reason: `"${text}" is not an amount (Amt)` };
  const direction = readDirection(entry);
  if (direction === undefined) return { reason: 'it says neither CRDT nor DBIT (CdtDbtInd)' };
  return { direction, amountDecimal, currencyCode: attributeOf(amount, 'Ccy')?.toUpperCase() ?? null };
}

function readDirection(element: XmlElement): StatementDirection | undefined {
  const text = textAt(element, 'CdtDbtInd');
  if (text === 'CRDT') return 'income';
  return text === 'DBIT' ? 'expense' : undefined;
}

/** ISO 20022 writes amounts without a sign and without groups, with a point. */
function parsePlain(text: string): string | undefined {
  return /^\d+(\.\d*)?$/.test(text) ? parseAmount(text, '.')?.amountDecimal : undefined;
}
