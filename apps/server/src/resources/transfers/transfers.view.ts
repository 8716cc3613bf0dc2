import type { Transfer } from '@centavo/contracts';
import { type MovementRow, toMovementView } from '../movements/index.js';

/** Both legs as the API shows a transfer; what they share is read from the outgoing one. */
export function toTransferView(groupId: string, [outgoing, incoming]: readonly [MovementRow, MovementRow]): Transfer {
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
    createdAt: out.createdAt,
  };
}

function sideOf(leg: MovementRow): Transfer['from'] {
  return { accountId: leg.account_id, cashboxId: leg.cashbox_id, movementId: leg.id };
}
