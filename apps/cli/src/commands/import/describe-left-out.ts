import type { CategoryBook } from './category-book.js';

/**
 * Says which categories of a file rows are recorded without, and what would change that; undefined where there are none.
 * @param names of those categories
 */
export function describeLeftOut(names: Iterable<string>, { isReadable }: CategoryBook): string | undefined {
  const all = [...names];
  if (all.length === 0) return undefined;
  const isOne = all.length === 1;
  const subject = isOne ? '1 category of the file is' : `${all.length} categories of the file are`;
  if (!isReadable) return `${subject} left out, because this key may not read categories (catalog:read)`;
  const list = all.slice(0, namedMax).join(', ') + (all.length > namedMax ? ', …' : '');
  const verb = isOne ? 'is' : 'are';
  return `${subject} not in this tracker and ${verb} left out: ${list}; --create-categories makes ${isOne ? 'it' : 'them'}`;
}

/** A household has some thirty. */
const namedMax = 50;
