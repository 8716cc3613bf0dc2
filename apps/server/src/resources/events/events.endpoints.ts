import { routes } from '@centavo/contracts';
import { type Endpoint, endpoint, loadingEndpoint } from '../../http/endpoint.js';
import { describeAuditPage, toAuditEventView, toAuditHeadView } from './audit-events.view.js';
import { readAuditHead, readAuditPage } from './audit-page.queries.js';
import { toChangeView } from './changes.view.js';
import { describeFeed, requireSameHistory } from './event-history.rules.js';
import { type EventPageRequest, readEventPage } from './event-page.queries.js';
import { indexEventRecords, readEventRecords } from './event-records.js';
import { readableResourceTypes } from './readable-events.js';
import { listSecurityEvents } from './security-events.queries.js';
import { describeSecurityEventPage, parseSecurityEventCursor, toSecurityEventView } from './security-events.view.js';

/** The operations on events. */
export const eventsEndpoints: readonly Endpoint[] = [
  loadingEndpoint(routes.listChanges, {
    // All statements are sent in one batch. If the server is not sharded, the first one assigns sequence numbers to at most 1,000 pending
    // events. PostgreSQL takes a new snapshot for each statement, so the page includes these events. If the server is sharded,
    // `numberEvents` does nothing, because earlier transactions have already numbered the events.
    load: async ({
      tx,
      trackerId,
      numberEvents,
      query: { after, isFromNow, limit, resourceTypes, includesRecords },
    }) => {
      const page: EventPageRequest = {
        trackerId,
        after: after?.sequence ?? 0,
        limit: isFromNow ? 0 : limit,
        resourceTypes,
      };
      const readsRecords = includesRecords && !isFromNow;
      const [numbered, read, records] = await Promise.all([
        numberEvents(),
        readEventPage(tx, page, { isLastRead: !readsRecords }),
        readsRecords ? readEventRecords(tx, page) : undefined,
      ]);
      return { ...read, numbered, records };
    },
    handle: async ({ query: { after, isFromNow, limit, waitMsMax }, principal, tracker }, { records, ...read }) => {
      const { head, numbered } = read;
      if (isFromNow) {
        const feed = describeFeed({ head, numbered, events: [], hashAtWindowEnd: null }, { after: 0, limit });
        return { data: [], feed };
      }
      requireSameHistory(after, read);
      const reader = { principal, role: tracker.role };
      const readable = readableResourceTypes(reader);
      const recordOf = records === undefined ? () => null : indexEventRecords(records, reader);
      const shown = read.events.filter(({ resourceType }) => readable.has(resourceType));
      const feed = describeFeed(read, { after: after?.sequence ?? 0, limit });
      const waits = shown.length === 0 && !feed.hasMore && waitMsMax > 0;
      return {
        data: shown.map((event) => toChangeView(event, recordOf(event))),
        feed,
        ...(waits && { wait: { trackerId: tracker.id, headSequence: head.sequence, msMax: waitMsMax } }),
      };
    },
  }),

  loadingEndpoint(routes.listAuditEvents, {
    load: async ({ tx, trackerId, numberEvents, query: { cursor, ...filters } }) => {
      const page = { ...filters, trackerId, cursorSequence: cursor?.sequence };
      const [numbered, read] = await Promise.all([numberEvents(), readAuditPage(tx, page)]);
      return { ...read, numbered };
    },
    handle: async ({ query: page }, read) => {
      const { shown, pagination } = describeAuditPage(read, {
        cursor: page.cursor,
        order: page.order,
        limit: page.limit,
      });
      return { data: shown.map(toAuditEventView), pagination };
    },
  }),

  loadingEndpoint(routes.getAuditHead, {
    load: async ({ tx, trackerId, numberEvents }) => {
      const [, head] = await Promise.all([numberEvents(), readAuditHead(tx, trackerId)]);
      return head;
    },
    handle: async (_, head) => ({ data: toAuditHeadView(head) }),
  }),

  endpoint(routes.listSecurityEvents, async ({ tx, query: { limit, cursor }, principal }) => {
    const after = cursor === undefined ? undefined : parseSecurityEventCursor(cursor);
    const rows = await listSecurityEvents(tx, { userId: principal.userId, after, limit });
    const { shown, pagination } = describeSecurityEventPage(rows, limit);
    return { data: shown.map(toSecurityEventView), pagination };
  }),
];
