import { type Category, type FinancialClient, isStateConflictError } from '@centavo/sdk';
import { describeErrorBriefly } from '../../describe-error.js';
import { foldCase, matchByName } from '../choose-by-name.js';
import type { Found } from './account-book.js';
import { isRowError } from './row-error.js';

type MovementType = 'expense' | 'income';

/** The categories of the tracker by the names that a statement uses; made once, of kind `any`, where that is allowed. */
export class CategoryBook {
  /** Names of the categories that were made, or in a dry run would be. */
  readonly created: string[] = [];
  readonly #client: FinancialClient;
  readonly #options: { mayCreate: boolean; isDryRun: boolean };
  #categories: readonly Category[] = [];
  readonly #known = new Map<string, Promise<Found<string | null>>>();

  private constructor(client: FinancialClient, options: { mayCreate: boolean; isDryRun: boolean }) {
    this.#client = client;
    this.#options = options;
  }

  static async load(
    client: FinancialClient,
    options: { mayCreate: boolean; isDryRun: boolean },
  ): Promise<CategoryBook> {
    const book = new CategoryBook(client, options);
    await book.#readAgain();
    return book;
  }

  /**
   * The id of the category that a name means for a movement of this type, or why there is none; null in a dry run for
   * one that would be made.
   * @throws whatever ends the whole import: no rights, no network
   */
  find(name: string, type: MovementType): Promise<Found<string | null>> {
    const key = `${type} ${foldCase(name)}`;
    const known = this.#known.get(key) ?? this.#look(name, type);
    this.#known.set(key, known);
    return known;
  }

  async #look(name: string, type: MovementType): Promise<Found<string | null>> {
    const listed = this.#choose(name, type);
    if (listed !== undefined) return listed;
    if (!this.#options.mayCreate) return { reason: `there is no category "${name}" (--create-categories makes it)` };
    if (!this.#isCreated(name)) this.created.push(name);
    if (this.#options.isDryRun) return { found: null };
    try {
      const category = await this.#client.categories.create({ name, kind: 'any', scope: 'tracker' });
      this.#categories = [...this.#categories, category];
      return { found: category.id };
    } catch (error) {
      this.created.pop();
      if (!isRowError(error)) throw error;
      // Another import has just made it, or it exists and cannot be seen from its name alone.
      if (isStateConflictError(error)) await this.#readAgain();
      const reason = `the category "${name}" cannot be made: ${describeErrorBriefly(error)}`;
      return this.#choose(name, type) ?? { reason };
    }
  }

  #isCreated(name: string): boolean {
    return this.created.some((other) => foldCase(other) === foldCase(name));
  }

  #choose(name: string, type: MovementType): Found<string> | undefined {
    const named = matchByName(name, this.#categories);
    if (named.length === 0) return undefined;
    const usable = named.filter(({ kind, status }) => status === 'active' && (kind === 'any' || kind === type));
    const [first, ...others] = usable;
    if (first === undefined) return { reason: `the category "${name}" cannot be used for ${type}` };
    if (others.length > 0) return { reason: `several categories are named "${name}"` };
    return { found: first.id };
  }

  async #readAgain(): Promise<void> {
    this.#categories = (await this.#client.categories.list()).data;
  }
}
