import { type FinancialClient, isPermissionError, isValidationError, type Movement } from '@centavo/sdk';
import type { RecordedIds } from '../plan/recorded/recorded-ids.js';
import { isVoided, listWithVoided } from '../plan/recorded/voided-movements.js';
import { differingDetails } from './equal-record.js';
import { type MovementRequest, matchFieldsOf } from './requests.js';

/**
 * Finds the rows that the server may refuse because of the `externalId` (the bank's id) of a recorded movement. A dry run sends only
 * these rows to the server, to report the refusals. A real import does not need this search, because it sends the other rows too.
 */
export class IdConflicts {
  readonly #client: FinancialClient;
  readonly #ids: RecordedIds;
  /** For each account id, whether the account has movements. */
  readonly #accounts = new Map<string, Promise<boolean>>();
  #lookupCount = 0;
  #isCut = false;

  /** @param ids the bank's ids of the movements that were listed earlier; no request is sent to look them up again */
  constructor(client: FinancialClient, ids: RecordedIds) {
    this.#client = client;
    this.#ids = ids;
  }

  /** Whether the ids of some rows were not looked up, because the limit of 200 lookups was reached. */
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
   * All calls together send at most one request for each account, to find out whether the account has movements. If it has
   * movements, each call for a row of the account sends at most one further request. In total, at most 200 further requests
   * are sent.
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
    return (
      isKeyOfContent && matchFieldsOf({ body, isKeyOfContent, ...row }).some((fields) => this.#ids.hasIdsAt(fields))
    );
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

/**
 * The maximum number of rows that a dry run looks up. The default rate limit is 600 reads per minute; the rest of it is left
 * for the import that may follow.
 */
const lookupsMax = 200;
