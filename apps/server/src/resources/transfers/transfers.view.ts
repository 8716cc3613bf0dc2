import type { Transfer } from '@centavo/contracts';
import { type MovementRow, toMovementView } from '../movements/index.js';

/** The two movements of a transfer. */
export type TransferLegs = readonly [outgoing: MovementRow, incoming: MovementRow];

/** Converts both legs to the API's transfer. Their common fields come from the outgoing leg. */
export function toTransferView(groupId: string, [outgoing, incoming]: TransferLegs): Transfer {
  const out = toMovementView(outgoing);
  return {
    groupId,
    trackerId: out.trackerId,
    amountDecimal: out.amountDecimal,
    currencyCode: out.currencyCode,
    occurredOn: out.occurredOn,
    description: out.description,
    from: sideOf(outgoing),
    to: sideOf(incoming),
    movements: [out, toMovementView(incoming)],
    voidedAt: out.voidedAt,
    createdAt: out.createdAt,
  };
}

function sideOf(leg: MovementRow): Transfer['from'] {
  return { accountId: leg.account_id, cashboxId: leg.cashbox_id, movementId: leg.id };
}
