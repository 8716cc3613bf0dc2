import * as z from 'zod';
import { absentIfNull, categoryIdField, nameField } from '../values/fields.js';
import { categoryKinds } from './category-record.js';

export const createCategoryBody = z.strictObject({
  name: nameField,
  kind: absentIfNull(z.enum(categoryKinds)),
  scope: absentIfNull(z.enum(['tracker', 'user'])),
  parentId: absentIfNull(categoryIdField),
});

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateCategoryInput = z.input<typeof createCategoryBody>;
