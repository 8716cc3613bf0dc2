/** The exports of categories to other resources. */
export { categoriesEndpoints } from './categories.endpoints.js';
export { directlyVisibleCategorySql, findVisibleCategory, listVisibleCategoryFacts } from './categories.queries.js';
export { type CategoryFacts, categoryIssue } from './categories.rules.js';
