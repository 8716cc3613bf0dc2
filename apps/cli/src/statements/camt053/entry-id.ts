import { textAt, type XmlElement } from '../markup/xml-element.js';
import { toStatementId } from '../statement-id.js';

/**
 * The bank's own reference of an entry, or null where it has none that lasts. `AcctSvcrRef` is the bank's; `NtryRef` is
 * often no more than a number within the statement, the same again in the next one, so a short number is not taken.
 */
export function entryId(entry: XmlElement): string | null {
  const reference = toStatementId(textAt(entry, 'NtryRef'));
  const isCounter = reference !== null && /^\d{1,6}$/.test(reference);
  return toStatementId(textAt(entry, 'AcctSvcrRef')) ?? (isCounter ? null : reference);
}

/** The bank's reference of one payment. `EndToEndId` is not asked for: whoever paid has chosen it, and may repeat it. */
export function paymentId(payment: XmlElement): string | null {
  return (
    toStatementId(textAt(payment, 'Refs/AcctSvcrRef')) ??
    toStatementId(textAt(payment, 'Refs/TxId')) ??
    toStatementId(textAt(payment, 'Refs/Prtry/Ref'))
  );
}
