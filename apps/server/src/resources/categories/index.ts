/** What other nouns may use of categories. */
export { categoriesEndpoints } from './categories.endpoints.js';
export { directlyVisibleCategorySql, findVisibleCategory, listVisibleCategoryFacts } from './categories.queries.js';
export { type CategoryFacts, categoryIssue } from './categories.rules.js';
