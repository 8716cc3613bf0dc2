/** The exports of the delivery worker to the server. */
export { deliverySweeps } from './deliveries.queries.js';
export { type DeliveryWorker, startDeliveries } from './delivery-worker.js';
export { createGuardedDispatcher } from './guarded-dispatcher.js';
