export { findRealStatement, writeStatement } from '../../../packages/statement-reader/test-support/statement-files.js';
