import { hash, verify } from '@node-rs/argon2';

/** Turns passwords into hashes and compares them; an argument, so that a test can see that it was asked. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
}

// The least that OWASP's Password Storage Cheat Sheet recommends for Argon2id; argon2id is the library's default.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * How many passwords are hashed at once. Each takes a thread of libuv's pool, where the signatures of access tokens are verified
 * too, so half of the pool stays free for those.
 * @param threadPoolSize UV_THREADPOOL_SIZE, which libuv reads; 4 threads unless set
 */
export function countHashesAtOnce(threadPoolSize: string | undefined): number {
  const threadCount = threadPoolSize === undefined ? 4 : Number.parseInt(threadPoolSize, 10) || 1;
  return Math.min(hashesAtOnceMax, Math.max(1, Math.floor(threadCount / 2)));
}

const hashesAtOnceMax = 2;

/** Argon2id in the thread pool of libuv. Some 20 ms and 19 MiB each: never call it while a transaction is open. */
export const argon2id: PasswordHashing = {
  hash: (password) => hash(password, parameters),
  verify: (passwordHash, password) => verify(passwordHash, password),
};

/**
 * The hash of a password that nobody knows, made with the same parameters: a log-in under an unknown e-mail address is
 * compared with it and costs what a wrong password costs. A constant, because the first such log-in would otherwise cost
 * a hash more.
 */
export const unknownUserPasswordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$4aW9w3Ctg2qkfzkfguOuiA$UAvCrhpta1NHFi1zRkmJ2o7WsDUbimiMsQwI0MHVCx8';
