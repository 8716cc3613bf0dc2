import type { ApiResponse } from './api-response.js';

/**
 * The result of one call. `await` returns the data; {@link withResponse} also returns the status, the ETag and the headers.
 * If you use both on one call, the client still sends one request. The client sends it immediately, without waiting for `await`, so
 * that a write is recorded even if the caller forgets `await`.
 * @example
 * const { data, requestId } = await client.context.get().withResponse();
 * console.log(data.activeTrackerId, requestId);
 */
export class ApiPromise<Data> implements Promise<Data> {
  readonly #response: Promise<ApiResponse<Data>>;

  constructor(response: Promise<ApiResponse<Data>>) {
    this.#response = response;
  }

  /**
   * Returns the data with `meta, requestId, etag, replayed, status, headers, idempotencyKey`.
   * @example
   * const { data, etag } = await client.movements.get(movementId).withResponse();
   * await client.movements.correct(data.id, { merchantName: 'Casa Ana' }, { etag });
   */
  withResponse(): Promise<ApiResponse<Data>> {
    return this.#response;
  }

  // biome-ignore lint/suspicious/noThenProperty: this class is a promise, so that `await` returns the data.
  then<Result = Data, Otherwise = never>(
    onData?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<Result | Otherwise> {
    return this.#response.then((response) => response.data).then(onData, onError);
  }

  catch<Otherwise = never>(
    onError?: ((reason: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<Data | Otherwise> {
    return this.then(null, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Data> {
    return this.#response.then((response) => response.data).finally(onEnd);
  }

  get [Symbol.toStringTag](): string {
    return 'ApiPromise';
  }
}
