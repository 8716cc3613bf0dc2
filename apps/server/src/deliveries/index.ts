/** The parts of the delivery worker that the rest of the server may import. */
export { deliverySweeps } from './deliveries.queries.js';
export { type DeliveryWorker, startDeliveries } from './delivery-worker.js';
export { createGuardedDispatcher } from './guarded-dispatcher.js';
