/** The exports of movements to other resources. */

export { movementsEndpoints } from './movements.endpoints.js';
export { type MovementRow, toMovementView } from './movements.view.js';
