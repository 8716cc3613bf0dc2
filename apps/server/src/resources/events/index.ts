/** The exports of events to the server. */
export { type Numbering, startNumbering } from './numbering.queries.js';
