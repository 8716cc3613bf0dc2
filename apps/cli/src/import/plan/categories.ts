import { withoutFormatCharacters } from '@centavo/contracts/calls';
import { type Category, type FinancialClient, isPermissionError, isStateConflictError } from '@centavo/sdk';
import { matchByName, normalizeName } from '../../commands/shared/choose-by-name.js';
import { describeErrorBriefly } from '../../describe-error.js';
import { isRowError } from '../retry.js';
import type { Resolution } from './accounts.js';

type MovementType = 'expense' | 'income';

interface CategoryOptions {
  readonly mayCreate: boolean;
  readonly isDryRun: boolean;
  /** If true, a row whose category is missing in the tracker or cannot be used is recorded without a category. If false, the row fails. */
  readonly mayLeaveOut: boolean;
}

/**
 * Resolves each category name of a bank statement once for expenses and once for incomes. If the options allow it, creates
 * missing categories, with the kind `any`.
 */
export class CategoryResolver {
  /** The names of the categories that a dry run would create. */
  readonly wouldCreate: string[] = [];
  /** The categories of the file that were left out of recorded rows. */
  readonly leftOut = new Set<string>();
  /** Whether the credential may read categories. If not, all rows are recorded without a category. */
  readonly isReadable: boolean;
  readonly #client: FinancialClient;
  readonly #options: CategoryOptions;
  #categories: readonly Category[];
  readonly #resolutions = new Map<string, Promise<Resolution<string | null>>>();

  private constructor(
    client: FinancialClient,
    { categories, ...options }: CategoryOptions & { categories: readonly Category[] | undefined },
  ) {
    this.#client = client;
    this.#options = options;
    this.#categories = categories ?? [];
    this.isReadable = categories !== undefined;
  }

  /**
   * Reads the categories of the tracker.
   * @throws PermissionError if the credential may not read categories, and `mayLeaveOut` is false
   */
  static async load(client: FinancialClient, options: CategoryOptions): Promise<CategoryResolver> {
    try {
      return new CategoryResolver(client, { ...options, categories: (await client.categories.list()).data });
    } catch (error) {
      const isUnreadable = isPermissionError(error) && error.code === 'INSUFFICIENT_SCOPE';
      if (!isUnreadable || !options.mayLeaveOut) throw error;
      return new CategoryResolver(client, { ...options, categories: undefined });
    }
  }

  /** Returns a resolver for a bank statement without categories. The resolver sends no request. */
  static withoutCategories(client: FinancialClient): CategoryResolver {
    return new CategoryResolver(client, { mayCreate: false, isDryRun: true, mayLeaveOut: true, categories: [] });
  }

  /**
   * Returns the names of the categories that would be left out of rows, because the tracker does not have them or the
   * credential may not read categories. Returns an empty list if rows with a missing category fail instead.
   */
  findLeftOut(names: Iterable<string>): readonly string[] {
    if (!this.#options.mayLeaveOut) return [];
    return [...names].filter((name) => matchByName(name, this.#categories).length === 0);
  }

  /**
   * Returns the id of the category with this name for a movement of this type, or the reason why there is none. The id
   * is null if the row is recorded without a category, and in a dry run if the import would create the category.
   * @throws an error that stops the whole import, such as a missing scope or a lost connection
   */
  resolve(name: string, type: MovementType): Promise<Resolution<string | null>> {
    const key = `${type} ${normalizeName(name)}`;
    const known = this.#resolutions.get(key) ?? this.#resolveOrLeaveOut(name, type);
    this.#resolutions.set(key, known);
    return known;
  }

  async #resolveOrLeaveOut(name: string, type: MovementType): Promise<Resolution<string | null>> {
    const resolution = await this.#resolveOrCreate(name, type);
    if ('found' in resolution || !this.#options.mayLeaveOut) return resolution;
    this.leftOut.add(name);
    return { found: null };
  }

  async #resolveOrCreate(name: string, type: MovementType): Promise<Resolution<string | null>> {
    const existing = this.#findExisting(name, type);
    if (existing !== undefined) return existing;
    if (!this.#options.mayCreate) return { reason: `there is no category "${name}" (--create-categories creates it)` };
    if (this.#options.isDryRun) {
      if (!this.#isPlanned(name)) this.wouldCreate.push(name);
      return { found: null };
    }
    try {
      const category = await this.#client.categories.create({
        name: withoutFormatCharacters(name),
        kind: 'any',
        scope: 'tracker',
      });
      this.#categories = [...this.#categories, category];
      return { found: category.id };
    } catch (error) {
      if (!isRowError(error)) throw error;
      // Another client may have created the category in the meantime, so the list is read again.
      if (isStateConflictError(error)) this.#categories = (await this.#client.categories.list()).data;
      const reason = `cannot create the category "${name}": ${describeErrorBriefly(error)}`;
      return this.#findExisting(name, type) ?? { reason };
    }
  }

  #isPlanned(name: string): boolean {
    return this.wouldCreate.some((other) => normalizeName(other) === normalizeName(name));
  }

  #findExisting(name: string, type: MovementType): Resolution<string> | undefined {
    const named = matchByName(name, this.#categories);
    if (named.length === 0) return undefined;
    const usable = named.filter(({ kind, status }) => status === 'active' && (kind === 'any' || kind === type));
    const [first, ...others] = usable;
    if (first === undefined) return { reason: `the category "${name}" cannot be used for ${type}s` };
    if (others.length > 0) return { reason: `several categories have the name "${name}"` };
    return { found: first.id };
  }
}

/**
 * Describes the categories that are left out of recorded rows, and the flag that creates them. Returns undefined if
 * there are none.
 * @param names the names of these categories
 */
export function describeLeftOutCategories(
  names: Iterable<string>,
  { isReadable }: Pick<CategoryResolver, 'isReadable'>,
): string | undefined {
  const all = [...names];
  if (all.length === 0) return undefined;
  const isOne = all.length === 1;
  const subject = isOne ? '1 category of the file is' : `${all.length} categories of the file are`;
  if (!isReadable) return `${subject} left out, because this API key may not read categories (catalog:read)`;
  const list = all.slice(0, listedNamesMax).join(', ') + (all.length > listedNamesMax ? ', …' : '');
  const cause = isOne ? 'it is missing or unusable' : 'they are missing or unusable';
  return `${subject} left out, because ${cause} in this tracker: ${list}; --create-categories creates missing ones`;
}

/** The maximum number of names in a message. A household has about thirty categories, so usually all names are listed. */
const listedNamesMax = 50;
