import { type Category, type FinancialClient, isPermissionError, isStateConflictError } from '@centavo/sdk';
import { describeErrorBriefly } from '../../describe-error.js';
import { withoutFormatCharacters } from '../../statements/tidy-text.js';
import { foldCase, matchByName } from '../shared/choose-by-name.js';
import type { Found } from './account-book.js';
import { isRowError } from './row-error.js';

type MovementType = 'expense' | 'income';

interface CategoryOptions {
  readonly mayCreate: boolean;
  readonly isDryRun: boolean;
  /** A row whose category is not there is recorded without one, instead of failing. */
  readonly mayLeaveOut: boolean;
}

/** The categories of the tracker by the names that a statement uses; made once, of kind `any`, where that is allowed. */
export class CategoryBook {
  /** Names of the categories that were made, or in a dry run would be. */
  readonly created: string[] = [];
  /** Names of the categories that rows were left without. */
  readonly leftOut = new Set<string>();
  /** Whether the key may read categories; where it may not, rows are left without any. */
  readonly isReadable: boolean;
  readonly #client: FinancialClient;
  readonly #options: CategoryOptions;
  #categories: readonly Category[];
  readonly #known = new Map<string, Promise<Found<string | null>>>();

  private constructor(
    client: FinancialClient,
    { categories, ...options }: CategoryOptions & { categories: readonly Category[] | undefined },
  ) {
    this.#client = client;
    this.#options = options;
    this.#categories = categories ?? [];
    this.isReadable = categories !== undefined;
  }

  /** @throws whatever ends the whole import, so too a key that may not read categories and has to */
  static async load(client: FinancialClient, options: CategoryOptions): Promise<CategoryBook> {
    try {
      return new CategoryBook(client, { ...options, categories: (await client.categories.list()).data });
    } catch (error) {
      const isUnreadable = isPermissionError(error) && error.code === 'INSUFFICIENT_SCOPE';
      if (!isUnreadable || !options.mayLeaveOut) throw error;
      return new CategoryBook(client, { ...options, categories: undefined });
    }
  }

  /** For a statement that names none. */
  static none(client: FinancialClient): CategoryBook {
    return new CategoryBook(client, { mayCreate: false, isDryRun: true, mayLeaveOut: true, categories: [] });
  }

  /** Those of some names that rows would be left without. */
  foresee(names: Iterable<string>): readonly string[] {
    if (!this.#options.mayLeaveOut) return [];
    return [...names].filter((name) => matchByName(name, this.#categories).length === 0);
  }

  /**
   * The id of the category that a name means for a movement of this type, or why there is none; null where there is to
   * be none, and in a dry run for one that would be made.
   * @throws whatever ends the whole import: no rights, no network
   */
  find(name: string, type: MovementType): Promise<Found<string | null>> {
    const key = `${type} ${foldCase(name)}`;
    const known = this.#known.get(key) ?? this.#settle(name, type);
    this.#known.set(key, known);
    return known;
  }

  async #settle(name: string, type: MovementType): Promise<Found<string | null>> {
    const found = await this.#look(name, type);
    if ('found' in found || !this.#options.mayLeaveOut) return found;
    this.leftOut.add(name);
    return { found: null };
  }

  async #look(name: string, type: MovementType): Promise<Found<string | null>> {
    const listed = this.#choose(name, type);
    if (listed !== undefined) return listed;
    if (!this.#options.mayCreate) return { reason: `there is no category "${name}" (--create-categories makes it)` };
    if (!this.#isCreated(name)) this.created.push(name);
    if (this.#options.isDryRun) return { found: null };
    try {
      const category = await this.#client.categories.create({
        name: withoutFormatCharacters(name),
        kind: 'any',
        scope: 'tracker',
      });
      this.#categories = [...this.#categories, category];
      return { found: category.id };
    } catch (error) {
      this.created.pop();
      if (!isRowError(error)) throw error;
      // Another import has just made it, or it exists and cannot be seen from its name alone.
      if (isStateConflictError(error)) this.#categories = (await this.#client.categories.list()).data;
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
}
