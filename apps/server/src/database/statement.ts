import { createHash } from 'node:crypto';
import knex from 'knex';

/** The value of a parameter. */
export type Binding = string | number | boolean | Date | Buffer | null | readonly string[];

/** A statement in the form that the driver sends. One with a name is parsed and planned once on each connection. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: Binding[];
}

interface CompiledStatement {
  readonly text: string;
  readonly name?: string;
  /** The names of the bindings of $1, $2 and so on. A name that occurs twice is listed twice, because each may have another type. */
  readonly bindingNames: readonly string[];
}

/** Builds the text of statements. It has no connection. Names are lower-case constants, so they need no quotes. */
export const builder = knex({ client: 'pg', wrapIdentifier: (name) => name });
const compiled = new Map<string, CompiledStatement>();
/** How many texts are cached and prepared at most. A list operation has one text for each set of filters. */
const compiledMax = 256;

/**
 * Compiles SQL with named bindings (`:name`) into a statement, each text once. A context value becomes part of the text.
 * @throws Error if a binding is missing
 */
export function compileStatement(sql: string, bindings: Readonly<Record<string, Binding | ContextValue>>): Statement {
  const contextNames = Object.keys(bindings).filter((name) => bindings[name] instanceof ContextValue);
  const key = contextNames.length === 0 ? sql : `${contextNames.join()} ${sql}`;
  const { bindingNames, ...statement } = compiled.get(key) ?? compile(sql, { bindings, key });
  const values = bindingNames.map((name) => {
    const value = bindings[name];
    if (value === undefined || value instanceof ContextValue) throw missingBinding(name);
    return value;
  });
  return { ...statement, values };
}

function compile(
  sql: string,
  { bindings, key }: { readonly bindings: Readonly<Record<string, unknown>>; readonly key: string },
): CompiledStatement {
  // knex gets the name of each binding as its value, and so returns the names in the order of $1, $2 and so on.
  const substitutes = Object.entries(bindings).map(([name, value]) => [
    name,
    value instanceof ContextValue ? builder.raw(value.sql) : name,
  ]);
  const native = builder.raw(sql, Object.fromEntries(substitutes)).toSQL().toNative();
  // knex leaves a placeholder without a binding in the text.
  const unbound = /(?<![:\w]):([a-zA-Z]\w*)/.exec(native.sql)?.[1];
  if (unbound !== undefined) throw missingBinding(unbound);
  const statement = { text: native.sql, bindingNames: native.bindings as readonly string[] };
  if (compiled.size >= compiledMax) return statement;
  const name = `c${createHash('sha256').update(statement.text).digest('hex').slice(0, 24)}`;
  const named = { ...statement, name };
  compiled.set(key, named);
  return named;
}

function missingBinding(name: string): Error {
  return new Error(`The binding :${name} is missing.`);
}
/**
 * A value of the transaction's context, which the authenticating statement sets. Its SQL replaces a parameter in the text of a
 * statement, so that the statement can be sent before this process knows the value.
 */
export class ContextValue {
  readonly sql: string;

  constructor(setting: string) {
    // PostgreSQL returns '' instead of null if an earlier transaction of the connection has set the setting.
    this.sql = `(nullif(current_setting('${setting}', true), '')::uuid)`;
  }
}

export const currentTrackerId = new ContextValue('app.tracker_id');
export const currentUserId = new ContextValue('app.user_id');
