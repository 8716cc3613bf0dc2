import type { Category, CreateCategoryInput, Preview } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions, PreviewOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * Categories of the system, of the tracker and of the user.
 * @source docs/financial-integration-api.md, Catalog
 * @example
 * const { data: categories } = await client.categories.list();
 * const groceries = categories.find(({ name }) => name === 'Groceries') ?? (await client.categories.create({ name: 'Groceries' }));
 * console.log(groceries.id);
 */
export class CategoriesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists the active categories of the system, of the tracker and of the user. Also lists an active category of another user if a
   * movement or budget line of the tracker uses it.
   * @example for await (const category of client.categories.list()) console.log(category.id, category.name);
   */
  list(options?: CallOptions): ListPromise<Category> {
    return sendList<Category>(this.#send, { call: calls.listCategories, options });
  }

  /**
   * Returns a category.
   * @throws NotFoundError if the category is not visible in this tracker
   * @example const category = await client.categories.get('cat_unknown');
   */
  get(categoryId: string, options?: CallOptions): ApiPromise<Category> {
    const pathParameters = { categoryId };
    return new ApiPromise(this.#send<Category>({ call: calls.getCategory, pathParameters, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  create(input: CreateCategoryInput, options: PreviewOptions): ApiPromise<Preview<Category>>;
  /**
   * Creates a category. A repeated call with the same idempotency key creates no second category.
   * @throws StateConflictError (reason `name_taken`) if another category with the same `scope` has this name; `details.categoryId` is
   *   the id of that category
   * @example await client.categories.create({ name: 'Groceries', kind: 'expense' });
   */
  create(input: CreateCategoryInput, options?: CallOptions): ApiPromise<Category>;
  create(input: CreateCategoryInput, options?: CallOptions | PreviewOptions): ApiPromise<Category> {
    return new ApiPromise(this.#send<Category>({ call: calls.createCategory, body: input, options }));
  }
}
