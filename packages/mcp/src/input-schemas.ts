import generated from './input-schemas.json';

/** The JSON Schema of a tool's arguments. The API checks the values; the schema describes them to the model. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** Returns the schema of a tool from `input-schemas.json`, which is generated from the schemas of `@centavo/contracts`. */
export function inputSchemaOf(tool: string): InputSchema {
  const schema = (generated as unknown as Readonly<Record<string, InputSchema>>)[tool];
  if (schema === undefined) throw new Error(`input-schemas.json has no schema of ${tool}.`);
  return schema;
}
