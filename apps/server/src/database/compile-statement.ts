import { createHash } from 'node:crypto';

/** A value that a statement takes. */
export type Binding = string | number | boolean | Date | Buffer | null | readonly string[];

/** A statement as the driver takes it; one with a name is parsed and planned once for each connection. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: Binding[];
}

interface Compiled {
  readonly text: string;
  readonly name?: string;
  /** The binding of $1, $2 …; a name that stands twice is two, because each place may want another type. */
  readonly names: readonly string[];
}

const compiled = new Map<string, Compiled>();
// A list has a text for each set of filters. So many plans are kept for each connection, and no more.
const preparedMax = 256;

/**
 * Makes a statement of SQL with named bindings (`:name`; `::` stays a cast).
 * @throws Error when a binding is missing
 */
export function compileStatement(sql: string, bindings: Readonly<Record<string, Binding>>): Statement {
  const { names, ...statement } = compiled.get(sql) ?? compile(sql);
  const values = names.map((name) => {
    const value = bindings[name];
    if (value === undefined) throw new Error(`The binding :${name} is missing.`);
    return value;
  });
  return { ...statement, values };
}

function compile(sql: string): Compiled {
  const names: string[] = [];
  // Behind a letter or a digit a colon is part of a text, such as the format of a time.
  const text = sql.replace(/(?<![:\w]):([a-zA-Z]\w*)/g, (_, name: string) => `$${names.push(name)}`);
  if (compiled.size >= preparedMax) return { text, names };
  const prepared = { text, names, name: `c${createHash('sha256').update(text).digest('hex').slice(0, 24)}` };
  compiled.set(sql, prepared);
  return prepared;
}
