import { hash, verify } from '@node-rs/argon2';
import type { PasswordHashing } from '../src/identity/index.js';

const leastCost = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

/**
 * Argon2id at its least cost, for tests that create many users. With the server's parameters, hashing would take a tenth of the time of
 * all tests.
 */
export const cheapPasswords: PasswordHashing = { hash: (password) => hash(password, leastCost), verify };
