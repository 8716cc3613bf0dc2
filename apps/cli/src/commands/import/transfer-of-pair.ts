import type { CreateTransferInput } from '@centavo/sdk';
import type { StatementTransaction } from '../../statements/statement-row.js';
import { cutText, withoutFormatCharacters } from '../../statements/tidy-text.js';
import type { IdentifiedRow } from './identify-rows.js';
import { withoutTransferMark, writeTransferMark } from './transfer-mark.js';

/**
 * The transfer that two rows become. A transfer has one day, which is that on which the money left, and one
 * description: it keeps the texts of both rows, the day of arrival where that is another one, and a mark by which either
 * row is recognised later, alone, in another export (see `TransferLegs`). In a dry run, where rows have no keys yet, it
 * has no mark.
 */
export function toTransfer(outgoing: IdentifiedRow, incoming: IdentifiedRow): CreateTransferInput {
  const [from, to] = [outgoing.transaction, incoming.transaction];
  const texts = new Set([textOfRow(from), textOfRow(to)].filter((text) => text !== ''));
  const arrival = from.occurredOn === to.occurredOn ? '' : `(arrived ${to.occurredOn})`;
  const hasKeys = outgoing.key !== null && incoming.key !== null;
  const mark = hasKeys ? writeTransferMark(outgoing.key, incoming.key) : '';
  const parts = [[...texts].join(' / '), arrival, mark].filter((part) => part !== '');
  return {
    amountDecimal: from.amountDecimal,
    fromAccountId: outgoing.target.id ?? outgoing.target.name,
    toAccountId: incoming.target.id ?? incoming.target.name,
    occurredOn: from.occurredOn,
    currencyCode: outgoing.target.currencyCode,
    description: parts.join(' ') || undefined,
  };
}

/** What a row says of itself, so short that two of them, a day and a mark fit into the 500 characters of the API. */
function textOfRow({ description, merchantName }: StatementTransaction): string {
  return withoutFormatCharacters(cutText(withoutTransferMark((description ?? merchantName ?? '').trim()), 200));
}
