/** The exports of transfers to the rest of the server. */
export { transfersEndpoints } from './transfers.endpoints.js';
export { listTransferLegsById } from './transfers.queries.js';
export { toTransferView } from './transfers.view.js';
