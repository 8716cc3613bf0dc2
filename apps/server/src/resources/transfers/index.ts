/** The exports of transfers to the rest of the server. */
export { transfersEndpoints } from './transfers.endpoints.js';
