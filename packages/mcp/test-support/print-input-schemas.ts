import { type RouteContract, routes } from '@centavo/contracts';
import * as z from 'zod';
import { rowsDefault, rowsMax } from '../src/size-limits.js';
import { allTools } from '../src/tools/index.js';
import { pathParametersOf, type Tool } from '../src/tools/tool.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The maximum length of a `pattern` in a schema. Longer patterns are omitted: they need many tokens and explain little, and the API
 * checks the values of the arguments anyway.
 */
const patternLengthMax = 80;

const uuid = { type: 'string', format: 'uuid' };

/** Returns the text of `input-schemas.json`: the schema of the arguments of every tool, made from the schemas of the tool's API route. */
export function printInputSchemas(): string {
  return `${JSON.stringify(Object.fromEntries(allTools.map((tool) => [tool.name, schemaOf(tool)])), null, 1)}\n`;
}

function schemaOf(tool: Tool): JsonSchema {
  const route = Object.values(routes).find(({ call }) => call === tool.call) as RouteContract;
  const source = tool.kind === 'read' ? route.query : route.body;
  const { properties = {}, required = [] } = source === null ? {} : printed(source, tool);
  const path = pathParametersOf(tool);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(path.map((name) => [name, uuid])),
      ...(tool.kind === 'write' && tool.versionOf !== undefined ? { version } : {}),
      ...without(properties, tool),
      ...(tool.kind === 'read' && tool.paging !== 'none' ? paging : {}),
      ...(tool.call.tracker === 'required' ? { trackerId } : {}),
      ...(tool.kind === 'write' ? { confirm } : {}),
    },
    required: [...path, ...(tool.kind === 'write' && tool.versionOf !== undefined ? ['version'] : []), ...required],
    additionalProperties: false,
  };
}

const version = { type: 'integer', description: 'The version of the record as you read it.' };
const trackerId = { ...uuid, description: 'The tracker to act in. list_trackers returns the ids.' };
const confirm = {
  type: 'string',
  description: 'Leave it out for a preview. To record, repeat the same arguments with the confirm of the preview.',
};
const paging = {
  limit: { type: 'integer', minimum: 1, maximum: rowsMax, default: rowsDefault },
  cursor: { type: 'string', description: 'nextCursor of the previous page.' },
};

function without(properties: JsonSchema, tool: Tool): JsonSchema {
  const left = new Set(
    tool.kind === 'read' ? [...(tool.without ?? []), 'limit', 'cursor'] : Object.keys(tool.fixed ?? {}),
  );
  if (tool.kind === 'read' && typeof tool.paging === 'object' && tool.paging.by === 'api')
    left.add(tool.paging.parameter);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !left.has(name)));
}

function printed(schema: z.ZodType, tool: Tool): { properties?: JsonSchema; required?: readonly string[] } {
  return shorten(z.toJSONSchema(schema, { io: 'input' }), tool.call.method !== 'PATCH') as ReturnType<typeof printed>;
}

/**
 * Removes the parts of a schema that a model does not need. If `nullIsAbsent` is true, also removes `null` from the alternatives of
 * every value. `nullIsAbsent` is true for every request that is not a PATCH: in such a request, `null` means the same as an absent field.
 */
function shorten(schema: unknown, nullIsAbsent: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => shorten(item, nullIsAbsent));
  if (schema === null || typeof schema !== 'object') return schema;
  const { $schema: _, anyOf, pattern, examples: __, ...others } = schema as Record<string, unknown>;
  if (Array.isArray(anyOf) && nullIsAbsent) {
    const [value] = anyOf.filter((option: { type?: unknown }) => option.type !== 'null');
    return shorten({ ...others, ...(value as object) }, nullIsAbsent);
  }
  if (isBooleanText(others.enum)) return { type: 'boolean' };
  const fields = Object.entries(others).map(([name, field]) => [name, shorten(field, nullIsAbsent)] as const);
  const isShort = typeof pattern === 'string' && pattern.length <= patternLengthMax && others.format === undefined;
  return {
    ...Object.fromEntries(fields.filter(([name]) => name !== 'idempotencyKey')),
    ...(anyOf === undefined ? {} : { anyOf: shorten(anyOf, nullIsAbsent) }),
    ...(isShort ? { pattern } : {}),
  };
}

function isBooleanText(values: unknown): boolean {
  return Array.isArray(values) && values.join() === 'true,false';
}
