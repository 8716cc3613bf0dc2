import { UsageError } from '../../errors.js';

/** Fields of a body, or parameters of a query, as `-f` and `-F` gave them. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes fields of `key=value` texts. Those of `-f` are texts as they stand, because amounts, dates and ids are texts in
 * this API. Those of `-F` are what JSON makes of them: true, false, null, whole numbers, lists, objects.
 *
 * @throws UsageError (exit 2) for a text without `=`, a key that comes twice, and a decimal number, which would be a
 *   refused amount
 */
export function readFields(texts: readonly string[], typed: readonly string[]): Fields {
  const fields: Record<string, unknown> = {};
  const put = (flag: string, text: string, read: (value: string) => unknown) => {
    const split = text.indexOf('=');
    if (split < 1) throw new UsageError(`${flag} "${text}" is not key=value.`, 'Write it as -f amountDecimal=12.50.');
    const key = text.slice(0, split);
    if (Object.hasOwn(fields, key)) throw new UsageError(`The field ${key} is given twice.`, 'Leave one of them out.');
    fields[key] = read(text.slice(split + 1));
  };
  for (const text of texts) put('-f', text, (value) => value);
  for (const text of typed) put('-F', text, (value) => readTyped(text, value));
  return fields;
}

function readTyped(text: string, value: string): unknown {
  const read = parseJson(value);
  if (read === undefined) throw new UsageError(`-F "${text}" is not JSON.`, 'Give a text with -f.');
  if (typeof read === 'number' && !/^-?\d{1,15}$/.test(value)) {
    throw new UsageError(`-F "${text}" is a decimal number.`, 'Amounts are texts in this API: give it with -f.');
  }
  return read;
}

/**
 * A body that was written as JSON.
 * @throws UsageError (exit 2) for anything else
 */
export function readBody(text: string): unknown {
  const body = parseJson(text);
  if (body === undefined) throw new UsageError('The body is not JSON.', 'Give one object, such as {"name": "Cash"}.');
  return body;
}

/** Undefined for what is not JSON, which never means undefined itself. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
