/** What other nouns may use of movements. */

export { movementsEndpoints } from './movements.endpoints.js';
export { type MovementRow, toMovementView } from './movements.view.js';
