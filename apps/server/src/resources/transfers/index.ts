/** What other nouns may use of transfers. */
export { transfersEndpoints } from './transfers.endpoints.js';
