import { routes } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import { StaleRead } from '../../database/errors.js';
import { type Endpoint, loadingEndpoint } from '../../http/endpoint.js';
import { findTransferLegs, insertTransfer, loadCreateTransferFacts, voidTransfer } from './transfers.queries.js';
import { decideTransfer, requireVoidableTransfer, transferEtag } from './transfers.rules.js';
import { toTransferView } from './transfers.view.js';

/** The operations on transfers. One request records both movements of a transfer atomically. */
export const transfersEndpoints: readonly Endpoint[] = [
  loadingEndpoint(routes.createTransfer, {
    load: ({ tx, trackerId, body: { fromAccountId, toAccountId } }) =>
      loadCreateTransferFacts(tx, { trackerId, fromAccountId, toAccountId }),
    handle: async ({ tx, body, principal, tracker, newId }, facts) => {
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
      // A cashbox or account was archived after it was read. `StaleRead` makes `retryTransaction` run this operation again, with the
      // new status.
      if (legs === undefined) throw new StaleRead();
      const data = toTransferView(id, legs);
      return {
        data,
        etag: transferEtag(legs),
        effect: {
          action: 'transfer.created',
          resourceType: 'transfer',
          resourceId: id,
          trackerId: tracker.id,
          state: data,
        },
      };
    },
  }),

  loadingEndpoint(routes.getTransfer, {
    load: ({ tx, trackerId, pathParameters: { groupId } }) => findTransferLegs(tx, { trackerId, groupId }),
    handle: async ({ pathParameters: { groupId } }, legs) => {
      if (legs === undefined) throw notFound();
      return { data: toTransferView(groupId.toLowerCase(), legs), etag: transferEtag(legs) };
    },
  }),

  loadingEndpoint(routes.voidTransfer, {
    load: ({ tx, trackerId, pathParameters: { groupId } }) => findTransferLegs(tx, { trackerId, groupId }),
    handle: async ({ tx, pathParameters: { groupId }, ifMatch, tracker }, current) => {
      const legs = await voidTransfer(tx, requireVoidableTransfer(current, ifMatch));
      // A concurrent void committed first. `StaleRead` makes `retryTransaction` run this operation again, with the new version.
      if (legs === undefined) throw new StaleRead();
      const [{ voided_at: voidedAt }] = legs;
      const data = toTransferView(groupId.toLowerCase(), legs);
      return {
        data,
        etag: transferEtag(legs),
        effect: {
          action: 'transfer.voided',
          resourceType: 'transfer',
          resourceId: groupId.toLowerCase(),
          trackerId: tracker.id,
          change: { voidedAt: [null, voidedAt] },
          state: data,
        },
      };
    },
  }),
];
