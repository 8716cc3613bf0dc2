/** What other nouns may use of movements. */
export { type MovementRow, toMovementView } from './movement-view.js';
export { movementsEndpoints } from './movements.endpoints.js';
