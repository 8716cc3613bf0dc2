import type { CallContract } from '@centavo/contracts/calls';
import type { InputSchema } from '../input-schemas.js';

/** How a read tool divides its rows into pages. */
export type Paging =
  /** The tool returns one record, without pages. */
  | 'none'
  /** The API returns pages and a cursor. The tool sends `limit`. It sends the cursor in the query parameter that `parameter` names. */
  | { readonly by: 'api'; readonly parameter: 'cursor' | 'after' }
  /**
   * The API returns no cursor, so the tool divides the list itself. `apiRowsMax` is the highest limit that the API accepts; undefined if
   * the API accepts no limit.
   */
  | { readonly by: 'tool'; readonly apiRowsMax?: number }
  /** The API returns one record with a list in one field. `field` is the name of this field, and the tool divides its list. */
  | { readonly by: 'field'; readonly field: string };

interface ToolBase {
  readonly name: string;
  readonly call: CallContract;
  readonly title: string;
  readonly description: string;
}

/** A tool that reads. Its arguments are the path parameters and the query of its operation. */
export interface ReadTool extends ToolBase {
  readonly kind: 'read';
  readonly paging: Paging;
  /** Query parameters that the operation accepts and the tool does not. */
  readonly without?: readonly string[];
}

/** A tool that writes. Its arguments are the path parameters and the body of its operation. */
export interface WriteTool extends ToolBase {
  readonly kind: 'write';
  /** Fields of the body with a fixed value. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /**
   * For writes with `If-Match`: `call` is the operation that reads the record and its ETag, and `versionsIn` returns the versions in
   * the record.
   */
  readonly versionOf?: { readonly call: CallContract; readonly versionsIn: (record: never) => readonly number[] };
  /** True if the write changes or voids recorded data. */
  readonly isDestructive: boolean;
}

export type Tool = ReadTool | WriteTool;

/** Returns the names of the path parameters of a tool. */
export function pathParametersOf({ call }: Tool): readonly string[] {
  return [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** A tool as `tools/list` describes it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: false;
  };
}
