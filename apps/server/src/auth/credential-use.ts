import type { Database } from '../database/database.js';
import { noteCredentialUse } from './access.queries.js';

const intervalMs = 60_000;

/**
 * Notes when credentials are used: at most once a minute each, and after the request's own transaction, so that a request
 * neither waits for it nor fails with it. Source: contract, section 3; specification, Authentication
 */
export class CredentialUse {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #notedAt = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: { readonly database: Database; readonly now: () => number }) {
    this.#database = parts.database;
    this.#now = parts.now;
  }

  /** Returns at once; what goes wrong is left for the next minute. */
  note(credentialId: string): void {
    const now = this.#now();
    if (now - (this.#notedAt.get(credentialId) ?? Number.NEGATIVE_INFINITY) < intervalMs) return;
    this.#forgetOld(now);
    this.#notedAt.set(credentialId, now);
    // One after the other: a burst of new credentials must not take the pool from the requests.
    this.#writing = this.#writing
      .then(() => this.#database.transaction({ readOnly: false }, (tx) => noteCredentialUse(tx, credentialId)))
      .catch(() => {
        this.#notedAt.delete(credentialId);
      });
  }

  /** Resolves when everything noted so far is written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #forgetOld(now: number): void {
    for (const [id, notedAt] of this.#notedAt) {
      // In the order of noting, so the first that is young enough ends the search.
      if (now - notedAt < intervalMs) return;
      this.#notedAt.delete(id);
    }
  }
}
