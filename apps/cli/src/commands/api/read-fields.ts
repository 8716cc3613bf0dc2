import { UsageError } from '../../errors.js';

/** Fields of a body, or parameters of a query, from `-f` and `-F`. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses `key=value` arguments. Values of `-f` are strings, because amounts, dates and ids are strings in this API.
 * Values of `-F` are JSON, such as true, null, whole numbers of at most 15 digits, lists and objects. Any other number is refused:
 * a number with decimal places is probably an amount, which must be a string, and a number of more than 15 digits would lose digits.
 *
 * @throws UsageError (exit 2) for an argument without `=` or without a key, a repeated key, a value of `-F` that is not JSON, and a
 *   number that is not a whole number of at most 15 digits
 */
export function readFields(stringFields: readonly string[], jsonFields: readonly string[]): Fields {
  const fields: Record<string, unknown> = {};
  const put = (flag: string, text: string, read: (value: string) => unknown) => {
    const split = text.indexOf('=');
    if (split < 1)
      throw new UsageError(
        `${flag} "${text}" is not key=value.`,
        'Write a name and a value, such as -f amountDecimal=12.50.',
      );
    const key = text.slice(0, split);
    if (Object.hasOwn(fields, key)) throw new UsageError(`The field ${key} is set twice.`, 'Leave one of them out.');
    fields[key] = read(text.slice(split + 1));
  };
  for (const text of stringFields) put('-f', text, (value) => value);
  for (const text of jsonFields) put('-F', text, (value) => readJsonField(text, value));
  return fields;
}

function readJsonField(text: string, value: string): unknown {
  const read = parseJson(value);
  if (read === undefined) throw new UsageError(`-F "${text}" is not JSON.`, 'Pass a string with -f.');
  if (typeof read === 'number' && !/^-?\d{1,15}$/.test(value)) {
    throw new UsageError(
      `-F "${text}" is not a whole number of at most 15 digits.`,
      'Amounts are strings in this API. Pass the value with -f.',
    );
  }
  return read;
}

/**
 * Parses a body.
 * @throws UsageError (exit 2) when the text is not JSON
 */
export function readBody(text: string): unknown {
  const body = parseJson(text);
  if (body === undefined) throw new UsageError('The body is not JSON.', 'Use one object, such as {"name": "Cash"}.');
  return body;
}

/** Returns the value of a JSON text, or undefined for invalid JSON. No JSON text has the value undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
