import * as z from 'zod';
import { categoryIdField, nameField, omittable } from '../values/fields.js';
import { categoryKinds } from './category-record.js';

export const createCategoryBody = z.strictObject({
  name: nameField,
  kind: omittable(z.enum(categoryKinds)),
  scope: omittable(z.enum(['tracker', 'user'])),
  parentId: omittable(categoryIdField),
});

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateCategoryInput = z.input<typeof createCategoryBody>;
