import type { SeededBug } from '../seeded-bug.js';
import { bugsOfAdditions } from './of-additions.js';
import { bugsOfEvents } from './of-events.js';
import { bugsOfIdentityAndLimits } from './of-identity-and-limits.js';
import { bugsOfIsolation } from './of-isolation.js';
import { bugsOfKeyedWrites } from './of-keyed-writes.js';
import { bugsOfTheSdk } from './of-the-sdk.js';
import { bugsOfTransactions } from './of-transactions.js';
import { bugsOfValues } from './of-values.js';
import { bugsOfWebhooks } from './of-webhooks.js';

/** All seeded bugs. Each repeats a mistake that was reported in a similar service. */
export const seededBugs: readonly SeededBug[] = [
  ...bugsOfKeyedWrites,
  ...bugsOfIsolation,
  ...bugsOfTransactions,
  ...bugsOfValues,
  ...bugsOfIdentityAndLimits,
  ...bugsOfTheSdk,
  ...bugsOfWebhooks,
  ...bugsOfAdditions,
  ...bugsOfEvents,
];
