import type { createCategoryBody, Issue } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound, stateConflict, validationError } from '../../api-error.js';
import type { CategoryRow } from './categories.view.js';

/** At most so many categories of a tracker, and as many of a user. Source: contract, section 4. */
export const categoriesMax = 1000;

/** A category decided, every default filled in. */
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

/**
 * Decides a new category. Pure.
 * A parent is active and of the same scope and owner, or the system's: a user-wide category is seen in other trackers, where
 * a parent of this tracker, or of another user, is not.
 * @throws NOT_FOUND (404) `resource: category` for a parent that the caller does not see
 * @throws VALIDATION_ERROR (400) CATEGORY_NOT_USABLE; STATE_CONFLICT (409) `limit_reached`. Source: contract, section 4
 */
export function decideCategory(request: {
  readonly body: z.output<typeof createCategoryBody>;
  readonly id: string;
  readonly trackerId: string;
  readonly userId: string;
  /** Undefined where the body names no parent; null when the caller sees no such category. */
  readonly parent: CategoryRow | null | undefined;
  readonly existingCount: number;
}): NewCategory {
  const { body, parent } = request;
  const scope = body.scope ?? 'tracker';
  if (parent === null) throw notFound('category');
  if (parent !== undefined && !isUsableParent(parent, { scope, userId: request.userId })) {
    throw validationError([
      {
        path: 'parentId',
        code: 'CATEGORY_NOT_USABLE',
        message: `Choose a parent that is not archived, of scope system or ${scope === 'user' ? 'your own of scope user' : scope}.`,
      },
    ]);
  }
  if (request.existingCount >= categoriesMax) {
    throw stateConflict('limit_reached', `There are ${categoriesMax} categories already; no more can be added.`);
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

function isUsableParent(parent: CategoryRow, child: { readonly scope: string; readonly userId: string }): boolean {
  if (parent.status !== 'active') return false;
  if (parent.scope === 'system') return true;
  return parent.scope === child.scope && (parent.user_id === null || parent.user_id === child.userId);
}

/** The form in which two names are the same: case-folded, compatibility-normalised. */
export function foldName(name: string): string {
  // There is no case folding in the language itself. Upper case unfolds letters such as ß, but only from lower case, where ẞ
  // becomes one; and changing case takes letters such as ΐ apart, so the text is composed again at the end.
  return name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

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
