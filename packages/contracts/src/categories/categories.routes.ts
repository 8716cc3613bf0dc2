import * as z from 'zod';
import { route } from '../route-contract.js';
import { categoriesCalls } from './categories.calls.js';
import { categoryRecord } from './category-record.js';
import { createCategoryBody } from './category-requests.js';

export const categoriesRoutes = {
  listCategories: route(categoriesCalls.listCategories, { data: z.array(categoryRecord) }),
  getCategory: route(categoriesCalls.getCategory, { data: categoryRecord }),
  createCategory: route(categoriesCalls.createCategory, {
    body: createCategoryBody,
    data: categoryRecord,
    location: (category) => `/v1/financial/categories/${category.id}`,
  }),
} as const;
