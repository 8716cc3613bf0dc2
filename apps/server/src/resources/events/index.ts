/** The exports of events to the server. */
export { eventsEndpoints } from './events.endpoints.js';
export { type Numbering, startNumbering } from './numbering.queries.js';
