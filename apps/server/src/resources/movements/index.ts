/** The parts of the module `movements` that the rest of the server may import. */

export { movementsEndpoints } from './movements.endpoints.js';
export { listMovementsById, subtractVoidedSql } from './movements.queries.js';
export { type MovementRow, toMovementView } from './movements.view.js';
export { strongEtag, versionConflict, voided } from './versions.rules.js';
