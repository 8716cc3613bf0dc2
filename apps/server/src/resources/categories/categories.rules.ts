import type { createCategoryBody, Issue } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, stateConflict, validationError } from '../../api-error.js';
import type { CategoryRow } from './categories.view.js';

/** Maximum number of categories of a tracker, and of a user. Source: docs/contract.md, section 4. */
export const categoriesMax = 1000;

/** A new category, all defaults applied. */
export interface NewCategory {
  readonly id: string;
  readonly scope: 'tracker' | 'user';
  readonly trackerId: string | null;
  readonly userId: string | null;
  readonly name: string;
  readonly nameFolded: string;
  readonly kind: 'expense' | 'income' | 'any';
  readonly parentId: string | null;
}

/** For the tracker or user that gets a new category: the number of existing categories, and the category that already has the new name. */
export interface ExistingCategories {
  readonly count: number;
  /** The id of the category whose name equals the new name when both are converted by {@link foldName}; null if there is none. */
  readonly idWithName: string | null;
}

/**
 * Returns the row of a new category. Pure. A parent must be active. It must be a system category, or have the scope and owner of the new
 * category. A user-wide category is visible in other trackers, so its parent must be visible there too.
 * @throws NOT_FOUND (404) `resource: category` when the caller does not see the parent
 * @throws VALIDATION_ERROR (400) CATEGORY_NOT_USABLE when the caller sees the parent, but it does not meet these conditions
 * @throws STATE_CONFLICT (409) `limit_reached` at the maximum number of categories, `name_taken` with the `categoryId` of the category that
 *   has the name
 * @source docs/contract.md, section 4
 */
export function decideCategory(request: {
  readonly body: z.output<typeof createCategoryBody>;
  readonly id: string;
  readonly trackerId: string;
  readonly userId: string;
  /** Undefined if the body names no parent; null if the caller does not see the parent. */
  readonly parent: CategoryRow | null | undefined;
  readonly existing: ExistingCategories;
}): NewCategory {
  const { body, parent } = request;
  const scope = body.scope ?? 'tracker';
  if (parent === null) throw notFound({ resource: 'category', path: 'parentId' });
  if (parent !== undefined && !isUsableParent(parent, { scope, userId: request.userId })) {
    throw validationError([
      {
        path: 'parentId',
        code: 'CATEGORY_NOT_USABLE',
        message: `Choose an active parent: a system category or ${scope === 'user' ? 'one of your user-wide categories' : 'a category of this tracker'}.`,
      },
    ]);
  }
  const { count, idWithName } = request.existing;
  if (count >= categoriesMax) {
    throw stateConflict(
      'limit_reached',
      `${scope === 'user' ? 'You have' : 'The tracker has'} ${categoriesMax} categories, the maximum.`,
    );
  }
  if (idWithName !== null) {
    throw stateConflict('name_taken', 'A category with this name already exists.', { categoryId: idWithName });
  }
  return {
    id: request.id,
    scope,
    trackerId: scope === 'tracker' ? request.trackerId : null,
    userId: scope === 'user' ? request.userId : null,
    name: body.name,
    nameFolded: foldName(body.name),
    kind: body.kind ?? 'any',
    parentId: body.parentId ?? null,
  };
}

/** Does not compare trackers, because the caller sees no categories of the scope `tracker` from other trackers. */
function isUsableParent(parent: CategoryRow, child: { readonly scope: string; readonly userId: string }): boolean {
  if (parent.status !== 'active') return false;
  if (parent.scope === 'system') return true;
  return parent.scope === child.scope && (parent.user_id === null || parent.user_id === child.userId);
}

/** Returns a name in the form in which names are compared: case-folded and NFKC-normalized. */
export function foldName(name: string): string {
  // JavaScript has no function for case folding. The conversion to upper case expands ß to SS, but leaves the capital ẞ unchanged. So the
  // name is first converted to lower case, which turns ẞ into ß. Case conversion decomposes letters such as ΐ, so the last step composes
  // them again.
  return name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/** The facts about a visible category that {@link categoryIssue} needs. */
export interface CategoryFacts {
  readonly id: string;
  readonly kind: 'expense' | 'income' | 'any';
  readonly status: 'active' | 'archived';
}

/**
 * Returns an issue if a category is archived or does not accept movements of `type`, otherwise undefined. Pure.
 * @source docs/contract.md, section 10a
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
      ? `Choose a category whose kind is "${type}" or "any".`
      : 'Choose a category that is not archived.';
  return { path, code: 'CATEGORY_NOT_USABLE', message };
}
