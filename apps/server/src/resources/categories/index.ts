/** The parts of the module `categories` that the rest of the server may import. */
export { categoriesEndpoints } from './categories.endpoints.js';
export {
  directlyVisibleCategorySql,
  findVisibleCategory,
  listTrackerCategoriesById,
  listVisibleCategoryFacts,
} from './categories.queries.js';
export { type CategoryFacts, categoryIssue } from './categories.rules.js';
export { type CategoryRow, toCategoryView } from './categories.view.js';
