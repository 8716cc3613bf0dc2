import type { CreateMovementInput } from '@centavo/contracts';
import { bulkItemsMax, calls, idempotencyKeyLengthMax } from '@centavo/contracts/calls';
import type { CallOptions, PreviewOptions } from '../call-options.js';
import { UsageError } from '../errors/usage-errors.js';
import type { BulkResult, Movement } from '../money/record-types.js';
import type { Send } from '../transport/call-request.js';
import { createIdempotencyKey } from '../transport/idempotency-key.js';

/** Options of `createMany` in mode `atomic`. `timeoutMs` and `maxRetries` apply to each request. */
export interface AtomicOptions extends CallOptions {
  readonly mode?: 'atomic' | undefined;
}

/** Options of `createMany` in mode `independent`. There is no `idempotencyKey`, because each movement has its own key. */
export interface IndependentOptions extends Omit<CallOptions, 'idempotencyKey'> {
  readonly mode: 'independent';
}

/** A movement with its own idempotency key: 1–200 printable ASCII characters without spaces at the ends. */
export type KeyedMovementInput = CreateMovementInput & { readonly idempotencyKey: string };

/**
 * The maximum size of the movements in a request, in bytes. It is below the server's limit for a body, so that the other
 * fields of the body fit too.
 */
const requestBytesMax = 60 * 1024;

/**
 * Records movements with as many requests as necessary, one after another. The same movements are always divided into the same requests.
 * So if a program repeats a call with the same movements and `idempotencyKey`, each request has the same key as in the first call.
 * In mode `atomic`, the error of a failed request contains the `idempotencyKey` of the call.
 * @throws UsageError before the first request if the `idempotencyKey` plus the number of the last request, such as `/3`, is too long
 * @returns in mode `atomic` the recorded movements, in mode `independent` one result for each movement; both in the order of `movements`
 */
export async function createMany(
  send: Send,
  {
    movements,
    options,
  }: {
    readonly movements: readonly CreateMovementInput[];
    readonly options: (AtomicOptions | IndependentOptions) & Partial<PreviewOptions>;
  },
): Promise<(Movement | BulkResult)[]> {
  const { mode = 'atomic', ...callOptions } = options;
  const chunks = toChunks(movements);
  const key = callOptions.idempotencyKey ?? (chunks.length > 1 ? createIdempotencyKey() : undefined);
  if (
    key !== undefined &&
    chunks.length > 1 &&
    key.length + suffixOfChunk(chunks.length - 1).length > idempotencyKeyLengthMax
  ) {
    throw new UsageError(
      `idempotencyKey is too long for ${chunks.length} requests: each request after the first appends its number to the key`,
    );
  }
  const results: (Movement | BulkResult)[] = [];
  for (const [position, chunk] of chunks.entries()) {
    const { data } = await send<(Movement | BulkResult)[]>({
      call: calls.createMovements,
      body: { mode, movements: chunk },
      hasItemKeys: mode === 'independent',
      options: key === undefined ? callOptions : { ...callOptions, idempotencyKey: key },
      keySuffix: suffixOfChunk(position),
    });
    const offset = results.length;
    results.push(...data.map((item) => ('index' in item ? { ...item, index: offset + item.index } : item)));
  }
  return results;
}

function suffixOfChunk(position: number): string {
  return position === 0 ? '' : `/${position + 1}`;
}

/** Splits a list into requests of at most 100 movements and 60 KiB. A movement above 60 KiB is sent in its own request. */
function toChunks(movements: readonly CreateMovementInput[]): CreateMovementInput[][] {
  const chunks: CreateMovementInput[][] = [];
  let bytes = 0;
  for (const movement of movements) {
    const itemBytes = new TextEncoder().encode(JSON.stringify(movement)).length + 1;
    const last = chunks.at(-1);
    bytes += itemBytes;
    if (last !== undefined && last.length < bulkItemsMax && bytes <= requestBytesMax) last.push(movement);
    else {
      chunks.push([movement]);
      bytes = itemBytes;
    }
  }
  return chunks;
}
