/** The exports of context, trackers and members to the rest of the server. */
export { contextEndpoints } from './context.endpoints.js';
export { findSharedTracker } from './context.queries.js';
export { type SharedTrackerRow, type TrackerRow, toTrackerState, toTrackerView } from './context.view.js';
