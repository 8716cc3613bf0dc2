import * as z from 'zod';

/**
 * The fields whose values a write may generate, and the fields that may contain the generated id of another record. A dry run returns
 * null for each value that the write would generate.
 */
const generatedFields = [
  'id',
  'groupId',
  'transferGroupId',
  'movementId',
  'accountId',
  'budgetId',
  'createdAt',
  'updatedAt',
] as const;

type GeneratedField = (typeof generatedFields)[number];

/**
 * The result of a dry run: the record, with null for each value that the write would generate.
 * @source docs/additions.md, section 1.1
 */
export type Preview<Value> = Value extends string
  ? Value
  : Value extends readonly unknown[]
    ? { [Index in keyof Value]: Preview<Value[Index]> }
    : Value extends object
      ? { [Field in keyof Value]: Field extends GeneratedField ? Value[Field] | null : Preview<Value[Field]> }
      : Value;

const previews = new Map<z.ZodType, z.ZodType>();

/** Returns the schema of the preview of a record. Repeated calls with the same record schema return the same object. */
export function previewOf<Record extends z.ZodType>(record: Record): z.ZodType<Preview<z.output<Record>>> {
  const preview = previews.get(record) ?? toPreview(record);
  previews.set(record, preview);
  return preview as z.ZodType<Preview<z.output<Record>>>;
}

function toPreview(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return z.array(previewOf(schema.element as z.ZodType));
  if (schema instanceof z.ZodUnion) return z.union((schema.def.options as z.ZodType[]).map(previewOf) as [z.ZodType]);
  if (schema instanceof z.ZodNullable) return previewOf(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodTuple) return z.tuple((schema.def.items as z.ZodType[]).map(toPreview) as [z.ZodType]);
  if (!(schema instanceof z.ZodObject)) return schema;
  const fields = Object.entries(schema.shape as Readonly<globalThis.Record<string, z.ZodType>>).map(([name, field]) => {
    const isGenerated = (generatedFields as readonly string[]).includes(name);
    return [name, isGenerated ? field.nullable() : toPreview(field)] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}
