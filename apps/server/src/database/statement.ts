import { createHash } from 'node:crypto';
import knex from 'knex';

/**
 * A subquery that returns ids, with its bindings. A statement that contains such a subquery needs no round trip to read the ids first.
 * The statement must compare ids with `= any (array(…))`, so that PostgreSQL looks up each id in an index. With `in`, PostgreSQL may read
 * the whole history of the tracker.
 */
export interface IdQuery {
  readonly sql: string;
  readonly bindings: Readonly<Record<string, Binding | ContextValue>>;
}

/** The value of a parameter. */
export type Binding = string | number | boolean | Date | Buffer | null | readonly string[];

/** A statement in the form that the driver sends. PostgreSQL parses a named statement once on each connection, and may reuse its plan. */
export interface Statement {
  readonly text: string;
  readonly name?: string | undefined;
  readonly values?: Binding[] | undefined;
}

interface CompiledStatement {
  readonly text: string;
  readonly name: string | undefined;
  /**
   * The names of the bindings of $1, $2 and so on. A name that occurs twice is listed twice, because each occurrence may have a different
   * type.
   */
  readonly bindingNames: readonly string[];
}

/** Builds the text of statements, without a connection. Identifiers are lower-case constants, so they need no quotes. */
export const builder = knex({ client: 'pg', wrapIdentifier: (name) => name });
/**
 * The cached compiled statements. The outer key is the SQL before it is compiled. The inner key contains the names of the bindings that are
 * a {@link ContextValue}, because the SQL of these values is part of the compiled text.
 */
const compiled = new Map<string, Map<string, CompiledStatement>>();
/**
 * The maximum number of statements that are cached and prepared. One operation can need many statements: a list operation has a different
 * text for each set of filters.
 */
const compiledMax = 256;
let compiledCount = 0;

/**
 * Compiles SQL with named bindings (`:name`) into a statement. The first {@link compiledMax} compiled statements are cached. The SQL
 * of a {@link ContextValue} becomes part of the text.
 * @throws Error if a binding is missing
 */
export function compileStatement(sql: string, bindings: Readonly<Record<string, Binding | ContextValue>>): Statement {
  let contextNames = '';
  for (const name in bindings) if (bindings[name] instanceof ContextValue) contextNames += `${name} `;
  const statement = compiled.get(sql)?.get(contextNames) ?? compile(sql, { bindings, contextNames });
  const values = statement.bindingNames.map((name) => {
    const value = bindings[name];
    if (value === undefined || value instanceof ContextValue) throw missingBinding(name);
    return value;
  });
  return { text: statement.text, name: statement.name, values };
}

function compile(
  sql: string,
  { bindings, contextNames }: { readonly bindings: Readonly<Record<string, unknown>>; readonly contextNames: string },
): CompiledStatement {
  // knex gets the name of each binding instead of its value. So the list of values that knex returns contains the names, in the order of
  // $1, $2 and so on.
  const substitutes = Object.entries(bindings).map(([name, value]) => [
    name,
    value instanceof ContextValue ? builder.raw(value.sql) : name,
  ]);
  const native = builder.raw(sql, Object.fromEntries(substitutes)).toSQL().toNative();
  // If a placeholder has no binding, knex leaves it in the text.
  const unbound = /(?<![:\w]):([a-zA-Z]\w*)/.exec(native.sql)?.[1];
  if (unbound !== undefined) throw missingBinding(unbound);
  const unnamed = { text: native.sql, name: undefined, bindingNames: native.bindings as readonly string[] };
  if (compiledCount >= compiledMax) return unnamed;
  compiledCount += 1;
  const name = `c${createHash('sha256').update(unnamed.text).digest('hex').slice(0, 24)}`;
  const named = { ...unnamed, name };
  const ofText = compiled.get(sql) ?? new Map<string, CompiledStatement>();
  compiled.set(sql, ofText.set(contextNames, named));
  return named;
}

function missingBinding(name: string): Error {
  return new Error(`The binding :${name} is missing.`);
}
/**
 * A value in the context of the transaction, such as the id of the tracker. The statement that authenticates the request sets this context.
 * The SQL of the value replaces a parameter in the text of a later statement, so that the later statement can be sent before this process
 * has the value.
 */
export class ContextValue {
  readonly sql: string;

  constructor(setting: string) {
    // current_setting returns '' instead of null if an earlier transaction of the connection has set the value.
    this.sql = `(nullif(current_setting('${setting}', true), '')::uuid)`;
  }
}

export const currentTrackerId = new ContextValue('app.tracker_id');
export const currentUserId = new ContextValue('app.user_id');
