import type { Issue } from '@centavo/contracts';

/** A visible category, as a decision needs it. */
export interface CategoryFacts {
  readonly id: string;
  readonly kind: 'expense' | 'income' | 'any';
  readonly status: 'active' | 'archived';
}

/**
 * Why a category that the caller sees cannot carry a movement of `type`: archived, or of the other kind; undefined when it
 * can. Source: contract, section 10a.
 */
export function categoryIssue(request: {
  readonly category: CategoryFacts;
  readonly type: 'expense' | 'income';
  readonly path: string;
}): Issue | undefined {
  const { category, type, path } = request;
  if (category.status === 'active' && (category.kind === 'any' || category.kind === type)) return undefined;
  const message =
    category.status === 'active'
      ? `Choose a category of kind ${type} or any.`
      : 'Choose a category that is not archived.';
  return { path, code: 'CATEGORY_NOT_USABLE', message };
}
