import { routes } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import { StaleFacts } from '../../database/postgres-errors.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { decideTransfer } from './create-transfer.js';
import { toTransferView } from './transfer-view.js';
import { findTransferLegs, insertTransfer, loadCreateTransferFacts } from './transfers.queries.js';

/** Transfers over HTTP: one atomic operation, never two movements of the caller's. */
export const transfersEndpoints: readonly Endpoint[] = [
  endpoint(routes.createTransfer, async ({ tx, body, principal, tracker, newId }) => {
    const { fromAccountId, toAccountId } = body;
    const facts = await loadCreateTransferFacts(tx, { trackerId: tracker.id, fromAccountId, toAccountId });
    const plan = decideTransfer({ body, facts, today: tracker.today });
    const id = newId();
    const legs = await insertTransfer(tx, {
      ...plan,
      id,
      trackerId: tracker.id,
      outgoingId: newId(),
      incomingId: newId(),
      source: { type: principal.type, id: principal.id },
    });
    if (legs === undefined) throw new StaleFacts();
    return {
      data: toTransferView(id, legs),
      effect: { action: 'transfer.created', resourceType: 'transfer', resourceId: id, trackerId: tracker.id },
    };
  }),

  endpoint(routes.getTransfer, async ({ tx, pathParameters: { groupId }, tracker }) => {
    const legs = await findTransferLegs(tx, { trackerId: tracker.id, groupId });
    if (legs === undefined) throw notFound();
    return { data: toTransferView(groupId.toLowerCase(), legs) };
  }),
];
