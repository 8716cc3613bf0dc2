/** The parts of the module `context` that the rest of the server may import. */
export { contextEndpoints } from './context.endpoints.js';
export { findSharedTracker } from './context.queries.js';
export { type SharedTrackerRow, type TrackerRow, toTrackerState, toTrackerView } from './context.view.js';
