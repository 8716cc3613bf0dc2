/** The parts of the module `transfers` that the rest of the server may import. */
export { transfersEndpoints } from './transfers.endpoints.js';
export { listTransferLegsById } from './transfers.queries.js';
export { type TransferLegs, toTransferView } from './transfers.view.js';
