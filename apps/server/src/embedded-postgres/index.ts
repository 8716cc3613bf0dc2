export { findRunningEmbeddedPostgres } from './find-running-embedded-postgres.js';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.js';
