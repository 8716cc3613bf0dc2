/** What other nouns may use of categories. */
export { categoriesEndpoints } from './categories.endpoints.js';
export { findVisibleCategory, listVisibleCategoryFacts, ownCategorySql } from './categories.queries.js';
export { type CategoryFacts, categoryIssue } from './categories.rules.js';
