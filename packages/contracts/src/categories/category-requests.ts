import * as z from 'zod';
import { categoryIdField, nameField, omittable } from '../values/fields.js';
import { categoryKinds } from './category-record.js';

export const createCategoryBody = z.strictObject({
  name: nameField,
  kind: omittable(z.enum(categoryKinds)),
  scope: omittable(z.enum(['tracker', 'user'])),
  parentId: omittable(categoryIdField),
});

// What a client sends: the inputs of the schemas above, before trimming and defaults.
export type CreateCategoryInput = z.input<typeof createCategoryBody>;
