/** What other nouns may use of context, trackers and members. */
export { contextEndpoints } from './context.endpoints.js';
