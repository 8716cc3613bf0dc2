import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns a reference to a component of the document. */
export function reference(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}

type JsonSchemaOptions = NonNullable<Parameters<typeof z.toJSONSchema>[1]>;

/**
 * Returns the options for zod's generator of JSON Schema. They remove keywords that zod adds:
 * - `minimum` and `maximum` if they are the bounds of safe integers, because no number of the API reaches these bounds
 * - the `pattern` of a UUID, because `format: uuid` implies it
 * - the format `starts_with`, because only zod has it
 * @param io `input` for requests as clients send them; `output` for responses
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

/** Returns the JSON Schema of a zod schema, for use inside the document. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...printed } = z.toJSONSchema(schema, printerOptions(io));
  return printed;
}
