/** The parts of the module `events` that the rest of the server may import. */
export { toChangeView } from './changes.view.js';
export { type ChainChecked, checkChain } from './check-chain.js';
export { type EventPageRequest, type EventRow, readEventPage } from './event-page.queries.js';
export { indexEventRecords, readEventRecords } from './event-records.js';
export { eventSweeps } from './event-retention.queries.js';
export { eventsEndpoints } from './events.endpoints.js';
export { type Numbering, startNumbering } from './numbering.queries.js';
export { readableResourceTypes } from './readable-events.js';
export { redactEvent } from './redact-event.queries.js';
