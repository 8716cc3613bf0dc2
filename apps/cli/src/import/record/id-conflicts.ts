import { type FinancialClient, isPermissionError, isValidationError, type Movement } from '@centavo/sdk';
import type { RecordedIds } from '../plan/recorded-ids.js';
import { isVoided, listWithVoided } from '../plan/voided.js';
import { differingDetails } from './equal-record.js';
import { type MovementRequest, placesOf } from './requests.js';

/**
 * Finds the rows that the server may refuse because of the bank's id of a recorded transaction (`externalId`). A dry run sends only
 * these rows to the server, to report the refusals. An import does not need this search, because it sends the rows to record them.
 */
export class IdConflicts {
  readonly #client: FinancialClient;
  readonly #ids: RecordedIds;
  /** For each account id, whether the account has movements. */
  readonly #accounts = new Map<string, Promise<boolean>>();
  #lookupCount = 0;
  #isCut = false;

  /** @param ids the movements that were listed earlier; to find their ids, no request is sent */
  constructor(client: FinancialClient, ids: RecordedIds) {
    this.#client = client;
    this.#ids = ids;
  }

  /** Whether the ids of some rows were not looked up, because 200 ids had been looked up. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * Returns whether the server may refuse a row because of an `externalId`. There are two such cases:
   *
   * - A movement has the row's `externalId`, but other details.
   * - All of these are true: the row has no `externalId`, or one that no movement has; the key of the row depends on its content; and a
   *   movement with an `externalId` has the same account, day and amount.
   *
   * Returns false if the row has no idempotency key.
   *
   * Sends at most one request for each account, to find out whether the account has movements. If the account has movements, sends
   * at most one request for each row of the file that belongs to the account. For all accounts together, looks up at most 200 rows.
   *
   * @throws every error of the client, except if the credential may not list movements, or the server does not store
   *   `externalId`
   */
  async mayRefuse({ body, isKeyOfContent, ...row }: MovementRequest): Promise<boolean> {
    if (row.key === null) return false;
    const { accountId, externalId } = body;
    if (typeof externalId === 'string') {
      const recorded = this.#ids.find(accountId, externalId) ?? (await this.#lookUp(accountId, externalId));
      if (recorded !== undefined) return differingDetails(recorded, body).length > 0;
    }
    return isKeyOfContent && placesOf({ body, isKeyOfContent, ...row }).some((place) => this.#ids.hasIdsAt(place));
  }

  async #lookUp(accountId: string, externalId: string): Promise<Movement | undefined> {
    const known = this.#accounts.get(accountId) ?? this.#list({ accountId, limit: 1 }).then((all) => all.length > 0);
    this.#accounts.set(accountId, known);
    if (!(await known)) return undefined;
    if (this.#lookupCount === lookupsMax) {
      this.#isCut = true;
      return undefined;
    }
    this.#lookupCount += 1;
    return (await this.#list({ accountId, externalId })).find((movement) => !isVoided(movement));
  }

  async #list(filters: Parameters<typeof listWithVoided>[1]): Promise<readonly Movement[]> {
    try {
      return (await listWithVoided(this.#client, filters)).data;
    } catch (error) {
      // A server of the first version does not store `externalId`, so it rejects the filter `externalId`.
      if (isPermissionError(error) || isValidationError(error)) return [];
      throw error;
    }
  }
}

/** The default rate limit is 600 reads per minute. The dry run leaves the rest of this limit for the import that may follow. */
const lookupsMax = 200;
