import type { CreateTransferInput } from '@centavo/sdk';
import type { StatementTransaction } from '../../statements/statement-row.js';
import { cutText } from '../../statements/tidy-text.js';
import type { IdentifiedRow } from './identify-rows.js';

/**
 * The transfer that two rows become. A transfer has one day, which is that on which the money left, and one description:
 * it keeps the texts of both rows and the day of arrival where that is another one, so that nothing of them is lost and
 * either row can be recognised in the transfer later, alone, in another export (see `TransferLegs`).
 */
export function toTransfer(outgoing: IdentifiedRow, incoming: IdentifiedRow): CreateTransferInput {
  const [from, to] = [outgoing.transaction, incoming.transaction];
  const texts = [...new Set([textOfRow(from), textOfRow(to)])].filter((text) => text !== '').join(' / ');
  const arrival = from.occurredOn === to.occurredOn ? '' : `(arrived ${to.occurredOn})`;
  return {
    amountDecimal: from.amountDecimal,
    fromAccountId: outgoing.target.id ?? outgoing.target.name,
    toAccountId: incoming.target.id ?? incoming.target.name,
    occurredOn: from.occurredOn,
    currencyCode: outgoing.target.currencyCode ?? undefined,
    description: `${texts} ${arrival}`.trim() || undefined,
  };
}

/** What a row says of itself, in the length in which a transfer keeps it: two of them and a day fit into 500. */
export function textOfRow({ description, merchantName }: StatementTransaction): string {
  return cutText((description ?? merchantName ?? '').trim(), 200);
}

/** The day of a row that is half of a transfer, from the transfer's own day and description. */
export function dayOfLeg(leg: { type: string; occurredOn: string; description: string | null }): string {
  const arrival =
    leg.type === 'income' ? /\(arrived (\d{4}-\d{2}-\d{2})\)$/.exec(leg.description ?? '')?.[1] : undefined;
  return arrival ?? leg.occurredOn;
}
