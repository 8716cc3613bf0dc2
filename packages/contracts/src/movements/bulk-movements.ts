import * as z from 'zod';
import { errorCodes, type IssueCode } from '../error-codes.js';
import { idempotencyKeyLengthMax, idempotencyKeyPattern } from '../headers.js';
import { toJsonSchema } from '../openapi/json-schema.js';
import type { BulkContract } from '../route-contract.js';
import { refuse } from '../values/fields.js';
import { bulkItemsMax } from '../values/limits.js';
import { movementRecord } from './movement-record.js';
import { createMovementBody } from './movement-requests.js';

/** `atomic` records all movements or none. `independent` records each movement under its own idempotency key. */
export const bulkModes = ['atomic', 'independent'] as const;

export type BulkMode = (typeof bulkModes)[number];

/**
 * A parsed body of POST /movements/bulk. In mode `independent`, the movement of an item may be invalid. In the response, the result of that
 * item then contains the issues of the movement.
 */
export type CreateMovements =
  | { readonly mode: 'atomic'; readonly movements: readonly z.output<typeof createMovementBody>[] }
  | {
      readonly mode: 'independent';
      readonly items: readonly {
        readonly idempotencyKey: string;
        readonly movement: z.ZodSafeParseResult<z.output<typeof createMovementBody>>;
      }[];
    };

const itemKeySchema = { type: 'string', pattern: idempotencyKeyPattern.source } as const;
const itemKeyField = z
  .string()
  .meta({ ...itemKeySchema, description: 'Required in mode `independent`, rejected in mode `atomic`.' });
const documentedItem = createMovementBody.extend({ idempotencyKey: itemKeyField.optional() });

// The next two schemas accept any mode and any items. The transform below checks them, so that it can report an unknown mode together with
// other issues, such as a wrong number of items. The remaining checks depend on the mode:
// - In mode `atomic`, an invalid item fails the whole request.
// - In mode `independent`, an invalid movement fails only its own item. An item that is not an object, or whose idempotency key is missing,
//   invalid or repeated, fails the whole request.
const modeField = z.unknown().meta({ type: 'string', enum: [...bulkModes] });
const movementList = z
  .array(z.unknown())
  .meta({ items: toJsonSchema(documentedItem, 'input'), minItems: 1, maxItems: bulkItemsMax });

/**
 * The body of POST /movements/bulk: a mode, and 1–100 bodies of POST /movements.
 * @source docs/additions.md, section 1.2
 */
export const createMovementsBody = z
  .strictObject({ mode: modeField.optional(), movements: movementList })
  .transform(({ mode: sentMode = 'atomic', movements }, context): CreateMovements => {
    const faults = new ItemFaults(context);
    const mode = bulkModes.find((name) => name === sentMode);
    if (mode === undefined) faults.add(['mode'], 'INVALID_FORMAT', `Send one of: ${bulkModes.join(', ')}.`);
    if (movements.length < 1 || movements.length > bulkItemsMax) {
      faults.add(['movements'], 'OUT_OF_RANGE', `Send 1 to ${bulkItemsMax} movements.`);
      return z.NEVER;
    }
    if (mode === undefined) {
      movements.forEach((item, index) => {
        if (!isObject(item)) faults.addNoObject(index);
      });
      return z.NEVER;
    }
    return mode === 'atomic' ? readAtomic(movements, faults) : readIndependent(movements, faults);
  });

/** A body of POST /movements/bulk as clients send it. */
export interface CreateMovementsInput {
  readonly mode?: BulkMode | undefined;
  readonly movements: readonly (z.input<typeof createMovementBody> & {
    readonly idempotencyKey?: string | undefined;
  })[];
}

/** Reports the issues of a body. The path of a reported issue starts at the root of the body, not at the item. */
class ItemFaults {
  readonly #context: z.RefinementCtx;

  constructor(context: z.RefinementCtx) {
    this.#context = context;
  }

  add(path: readonly (string | number)[], code: IssueCode, message: string): void {
    refuse({ addIssue: (issue) => this.#context.addIssue({ ...issue, path: [...path] }) }, code, message);
  }

  /** Adds the issue that an item is not an object. */
  addNoObject(index: number): void {
    this.add(['movements', index], 'INVALID_FORMAT', 'Send a JSON object.');
  }

  /** Adds the issues of an item. The paths in `issues` start at the item. */
  addAll(index: number, issues: readonly z.core.$ZodIssue[]): void {
    for (const issue of issues) {
      this.#context.issues.push({ ...issue, path: ['movements', index, ...issue.path] } as z.core.$ZodRawIssue);
    }
  }
}

function readAtomic(movements: readonly unknown[], faults: ItemFaults): CreateMovements {
  const seen = new Set<string>();
  const bodies = movements.flatMap((item, index) => {
    if (isObject(item) && 'idempotencyKey' in item) {
      const message =
        'Omit idempotencyKey in mode "atomic". Send one key for the whole request in the header Idempotency-Key.';
      faults.add(['movements', index, 'idempotencyKey'], 'FIELD_CONFLICT', message);
    }
    const id = externalIdOf(item);
    if (id !== undefined && seen.has(id)) {
      const message = 'Another item of this request has this externalId in the same account.';
      faults.add(['movements', index, 'externalId'], 'DUPLICATE_KEY', message);
    }
    if (id !== undefined) seen.add(id);
    const parsed = createMovementBody.safeParse(withoutKey(item), { reportInput: true });
    if (!parsed.success) faults.addAll(index, parsed.error.issues);
    return parsed.success ? [parsed.data] : [];
  });
  return { mode: 'atomic', movements: bodies };
}

function readIndependent(movements: readonly unknown[], faults: ItemFaults): CreateMovements {
  const seen = new Set<unknown>();
  const items = movements.map((item, index) => {
    const path = ['movements', index, 'idempotencyKey'];
    const key = isObject(item) ? item.idempotencyKey : undefined;
    if (!isObject(item)) faults.addNoObject(index);
    else if (key === undefined || key === null) {
      const message = 'Send an idempotencyKey of your choice, and the same key with each retry of this movement.';
      faults.add(path, 'IDEMPOTENCY_KEY_REQUIRED', message);
    } else if (typeof key === 'string' && key.length > idempotencyKeyLengthMax) {
      faults.add(path, 'TOO_LONG', `Send at most ${idempotencyKeyLengthMax} characters.`);
    } else if (typeof key !== 'string' || !idempotencyKeyPattern.test(key) || key !== key.trim()) {
      const message = 'Send 1–200 printable ASCII characters, without spaces at the ends.';
      faults.add(path, 'INVALID_FORMAT', message);
    } else if (seen.has(key)) faults.add(path, 'DUPLICATE_KEY', 'Another item of this request has this key.');
    seen.add(key);
    const movement = createMovementBody.safeParse(withoutKey(item), { reportInput: true });
    return { idempotencyKey: String(key), movement };
  });
  return { mode: 'independent', items };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutKey(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { idempotencyKey: _, ...body } = item;
  return body;
}

/** Returns a string that identifies the account and external id of an item, or undefined if the item lacks one of the two. */
function externalIdOf(item: unknown): string | undefined {
  if (!isObject(item) || typeof item.accountId !== 'string' || typeof item.externalId !== 'string') return undefined;
  const externalId = item.externalId.trim();
  return externalId === '' ? undefined : `${item.accountId.toLowerCase()} ${externalId}`;
}

/** The functions with which the server reads the items in a body of POST /movements/bulk, and the schema of the created movements. */
export const movementsBulk: BulkContract = {
  countItems: (body) => {
    const count = isObject(body) && Array.isArray(body.movements) ? body.movements.length : 0;
    return count > bulkItemsMax ? 0 : count;
  },
  hasItemKeys: (body) => isObject(body) && body.mode === 'independent',
  itemKeysOf: (body) => {
    const movements = body as CreateMovements;
    return movements.mode === 'independent' ? movements.items.map(({ idempotencyKey }) => idempotencyKey) : [];
  },
  createdData: z.array(movementRecord),
};

/**
 * The result of one item in mode `independent`. If the item failed, `movement` is null; otherwise `error` is null.
 * @source docs/additions.md, section 1.2
 */
export const bulkResultRecord = z.strictObject({
  index: z.int(),
  status: z.enum(['created', 'replayed', 'failed']),
  movement: movementRecord.nullable(),
  error: z
    .strictObject({
      code: z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]),
      message: z.string().min(1),
      details: z.record(z.string(), z.unknown()),
    })
    .nullable(),
});

export type BulkResult = z.output<typeof bulkResultRecord>;

/** `meta.bulk`: the numbers of created, replayed and failed items. */
export const bulkMeta = z.strictObject({ created: z.int(), replayed: z.int(), failed: z.int() });

export type BulkMeta = z.output<typeof bulkMeta>;
