import { routes } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import { requireAnyScope } from '../../auth/authorize.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import {
  findCategoriesForCreate,
  findVisibleCategory,
  insertCategory,
  listVisibleCategories,
} from './categories.queries.js';
import { decideCategory, foldName } from './categories.rules.js';
import { toCategoryView } from './categories.view.js';

/** The operations on categories. */
export const categoriesEndpoints: readonly Endpoint[] = [
  endpoint(routes.listCategories, async ({ tx, principal, tracker }) => {
    const rows = await listVisibleCategories(tx, { trackerId: tracker.id, userId: principal.userId });
    return { data: rows.map(toCategoryView) };
  }),

  endpoint(routes.getCategory, async ({ tx, pathParameters, principal, tracker }) => {
    const { categoryId } = pathParameters;
    const row = await findVisibleCategory(tx, { trackerId: tracker.id, userId: principal.userId, categoryId });
    if (row === null) throw notFound();
    return { data: toCategoryView(row) };
  }),

  endpoint(
    routes.createCategory,
    async ({ tx, body, principal, tracker, newId }) => {
      const { userId } = principal;
      const scope = body.scope ?? 'tracker';
      const owner = scope === 'tracker' ? { trackerId: tracker.id, userId: null } : { trackerId: null, userId };
      const parent =
        body.parentId === undefined
          ? undefined
          : await findVisibleCategory(tx, { trackerId: tracker.id, userId, categoryId: body.parentId });
      const existing = await findCategoriesForCreate(tx, { ...owner, nameFolded: foldName(body.name) });
      const id = `cat_${newId().replaceAll('-', '')}`;
      const category = decideCategory({ body, id, trackerId: tracker.id, userId, parent, existing });
      const row = await insertCategory(tx, category);
      const data = toCategoryView(row);
      return {
        data,
        effect: {
          action: 'category.created',
          resourceType: 'category',
          resourceId: row.id,
          trackerId: owner.trackerId,
          state: data,
        },
      };
    },
    // The route requires `catalog:write:tracker` or `catalog:write:user`. The `scope` field of the body decides which of the two
    // (docs/contract.md, section 10a).
    ({ body, principal, tracker }) =>
      requireAnyScope({ scopes: [`catalog:write:${body.scope ?? 'tracker'}`], principal, tracker }),
  ),
];
