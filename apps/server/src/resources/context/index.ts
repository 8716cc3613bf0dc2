/** The exports of context, trackers and members to the rest of the server. */
export { contextEndpoints } from './context.endpoints.js';
