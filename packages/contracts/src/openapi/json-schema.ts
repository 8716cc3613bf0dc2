import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A reference to a component of the document. */
export function reference(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}

type JsonSchemaOptions = NonNullable<Parameters<typeof z.toJSONSchema>[1]>;

/**
 * How zod's printer is used everywhere here. Bounds of "safe integers" say nothing about our numbers, the pattern of a
 * UUID nothing that its format does not, and `starts_with` is a format that only zod knows.
 * @param io `input`: what a client sends, before trimming and defaults; `output`: what it gets
 */
export function printerOptions(io: 'input' | 'output') {
  return {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
      if (jsonSchema.format === 'uuid' && jsonSchema.pattern?.includes('ffffffff')) delete jsonSchema.pattern;
    },
  } as const satisfies JsonSchemaOptions;
}

/** The JSON Schema of one zod schema, for use inside the document. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...printed } = z.toJSONSchema(schema, printerOptions(io));
  return printed;
}
