import type { Refused } from './executor.js';
import { inputSchemaOf } from './input-schemas.js';
import { refusedArgument } from './refusals.js';
import { rowsDefault, rowsMax } from './size-limits.js';
import { pathParametersOf, type ReadTool, type Tool, type WriteTool } from './tools/tool.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of a call: the tracker, the path parameters, and all others. */
export interface CallArguments {
  readonly trackerId: string | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** All other arguments, for the query or the body. */
  readonly others: Arguments;
}

/**
 * Checks the names of all arguments. Also checks that `trackerId` and the ids in the path are strings. {@link parsePageRequest},
 * {@link parseWriteArguments} and the API check the other values.
 * @returns the arguments, or a refusal that names an invalid argument
 */
export function parseArguments(tool: Tool, given: Arguments): CallArguments | Refused {
  const known = inputSchemaOf(tool.name).properties;
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    return refusedArgument(unknown, 'UNKNOWN_FIELD', 'This argument is unknown. Check its spelling or leave it out.');
  }
  const names = pathParametersOf(tool);
  const missing = [...names, 'trackerId'].find(
    (name) => typeof given[name] !== 'string' && (names.includes(name) || given[name] !== undefined),
  );
  if (missing !== undefined) return refusedArgument(missing, 'REQUIRED', 'Pass the id as a string.');
  const { trackerId, ...others } = given;
  return {
    trackerId: trackerId as string | undefined,
    pathParameters: Object.fromEntries(names.map((name) => [name, given[name] as string])),
    others: Object.fromEntries(Object.entries(others).filter(([name]) => !names.includes(name))),
  };
}

/** The page that a call requests, and the other query parameters of the call. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Returns the limit, the cursor and the query parameters of a read, or a refusal that names an invalid argument. A list becomes a
 * comma-separated string, as the API expects.
 */
export function parsePageRequest(tool: ReadTool, others: Arguments): PageRequest | Refused {
  const { limit = rowsDefault, cursor, ...filters } = others;
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > rowsMax) {
    return refusedArgument('limit', 'OUT_OF_RANGE', `Pass a whole number from 1 to ${rowsMax}.`);
  }
  if (cursor !== undefined && typeof cursor !== 'string') {
    return refusedArgument('cursor', 'INVALID_FORMAT', `Pass nextCursor of ${tool.name} unchanged.`);
  }
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(filters)) {
    const values = Array.isArray(value) ? value : [value];
    if (values.some((item) => item === null || typeof item === 'object')) {
      return refusedArgument(
        name,
        'INVALID_FORMAT',
        'Pass a string, a number, true, false, or a list of strings or numbers.',
      );
    }
    query[name] = values.join(',');
  }
  return { limit: limit as number, cursor, query };
}

/** The arguments of a write: `confirm`, the version, and the fields of the body. */
export interface WriteArguments {
  readonly confirm: string | undefined;
  /** The version that the caller read; undefined for tools without this argument. */
  readonly version: number | undefined;
  readonly body: Arguments;
}

/** Returns the arguments of a write, or a refusal that names an invalid argument. */
export function parseWriteArguments(tool: WriteTool, others: Arguments): WriteArguments | Refused {
  const { confirm, version, ...fields } = others;
  if (confirm !== undefined && typeof confirm !== 'string') {
    return refusedArgument('confirm', 'INVALID_FORMAT', 'Pass the confirm of the preview unchanged, or leave it out.');
  }
  if (tool.versionOf !== undefined && !Number.isInteger(version)) {
    return refusedArgument('version', 'REQUIRED', 'Pass the version of the record that you read, a whole number.');
  }
  return { confirm, version: version as number | undefined, body: { ...fields, ...tool.fixed } };
}
