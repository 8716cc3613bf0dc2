import { currencyCodes, isCalendarDate, isWellFormedSecret } from '@centavo/contracts/calls';

/** The kinds of fields that are not lists or records. `words` describes a valid value in the message about an invalid one. */
const kinds = {
  text: { words: 'a string', fits: (value: unknown) => typeof value === 'string' },
  /** Contains no character that needs escaping in a path or in a message. */
  id: { words: 'an id', fits: (value: unknown) => matches(value, /^\w[\w.:-]{0,199}$/) },
  /** RFC 3339. */
  time: { words: 'a time', fits: (value: unknown) => matches(value, /^\d{4}-\d\d-\d\dT/) && isDate(value) },
  date: { words: 'a date', fits: (value: unknown) => typeof value === 'string' && isCalendarDate(value) },
  secret: {
    words: 'a secret of this API',
    fits: (value: unknown) => typeof value === 'string' && isWellFormedSecret(value),
  },
  webhookSecret: {
    words: 'a webhook secret',
    fits: (value: unknown) => matches(value, /^whsec_[A-Za-z0-9+/]{43}=$/),
  },
  /** @source docs/contract.md, section 8 */
  totpSeed: { words: 'a base32 TOTP secret', fits: (value: unknown) => matches(value, /^[A-Z2-7]{16,256}$/) },
  totpUri: {
    words: 'an otpauth URI',
    fits: (value: unknown) => matches(value, /^otpauth:\/\/totp\/[!-~]{1,4000}$/),
  },
  amount: { words: 'an amount', fits: (value: unknown) => matches(value, /^-?\d{1,30}(\.\d{1,4})?$/) },
  currency: { words: 'a currency', fits: (value: unknown) => currencyCodes.has(value as string) },
  number: { words: 'a whole number', fits: (value: unknown) => Number.isSafeInteger(value) },
  nothing: { words: 'empty', fits: (value: unknown) => value === undefined },
  flag: { words: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
} as const;

type Kind = keyof typeof kinds;
type KindOf<Value> = [Value] extends [string]
  ? Exclude<Kind, 'number' | 'flag' | 'nothing'>
  : [Value] extends [number]
    ? 'number'
    : 'flag';

/**
 * The shape of a value. The shape of a string, number or boolean is its kind, such as `text`, or `text?` if the value may be
 * null. The shape of a list is `[shape]`. The shape of a record is an object with the shape of each field. The compiler rejects
 * a shape that omits a field of `Value`.
 */
export type ShapeOf<Value> = [NonNullable<Value>] extends [string | number | boolean]
  ? null extends Value
    ? `${KindOf<NonNullable<Value>>}?`
    : KindOf<Value>
  : Value extends readonly (infer Item)[]
    ? readonly [ShapeOf<Item>]
    : { readonly [Field in keyof Value]-?: ShapeOf<Value[Field]> };

/** A shape that is not tied to a TypeScript type. */
export type Shape = Kind | `${Kind}?` | readonly [Shape] | { readonly [field: string]: Shape };

/**
 * Returns a message that names the path of the first fault in a value, or undefined if there is no fault. The message
 * contains no value, because a value may be a secret. Fields that the shape does not name are ignored, because a newer
 * server may add some.
 */
export function findFault(shape: Shape, value: unknown, path = 'data'): string | undefined {
  if (typeof shape === 'string') return findFaultOfField(shape, value, path);
  if (isList(shape)) {
    if (!Array.isArray(value)) return `${path} is not a list`;
    return firstFault(value.entries(), ([index, item]) => findFault(shape[0], item, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${path} is not a record`;
  const record = value as Readonly<Record<string, unknown>>;
  return firstFault(Object.entries(shape), ([field, inner]) =>
    Object.hasOwn(record, field) || laterFields.has(field)
      ? findFault(inner, record[field] ?? null, `${path}.${field}`)
      : `${path}.${field} is missing`,
  );
}

/** Fields that servers of the first version do not return. If one of them is missing, it counts as null. */
const laterFields: ReadonlySet<string> = new Set(['externalId', 'voidedAt', 'asOfDate']);

function findFaultOfField(shape: Kind | `${Kind}?`, value: unknown, path: string): string | undefined {
  if (value === null && shape.endsWith('?')) return undefined;
  const { words, fits } = kinds[shape.replace('?', '') as Kind];
  return fits(value) ? undefined : `${path} is not ${words}`;
}

function firstFault<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = find(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isDate(value: string): boolean {
  return !Number.isNaN(Date.parse(value));
}
