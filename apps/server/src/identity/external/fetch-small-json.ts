import { tracedFetch } from './traced-fetch.js';

/** Access to the network. Tests replace both functions, to control responses and timeouts. */
export interface Network {
  readonly fetch: typeof fetch;
  /** Returns a signal that aborts after `ms` milliseconds. */
  readonly timeoutSignal: (ms: number) => AbortSignal;
}

/** The time limit of a request from its start to the end of the response body. */
export const timeoutMs = 2_000;
export const bodyBytesMax = 64 * 1024;

/**
 * Fetches and parses a small JSON document of the issuer, within 2 s and up to 64 KiB. Follows no redirects, because only the operator
 * may choose the URL.
 * @throws IssuerError if the response does not have status 200, is not JSON, or is too large
 * @throws the error of `fetch` if the request fails
 */
export async function fetchSmallJson(request: {
  readonly network: Network;
  readonly url: string;
  readonly post?: { readonly headers: Readonly<Record<string, string>>; readonly form: URLSearchParams };
}): Promise<unknown> {
  const { network, url, post } = request;
  const response = await tracedFetch({
    fetch: network.fetch,
    url,
    init: {
      method: post === undefined ? 'GET' : 'POST',
      headers: { Accept: 'application/json', ...post?.headers },
      body: post?.form ?? null,
      redirect: 'error',
      signal: network.timeoutSignal(timeoutMs),
    },
  });
  if (response.status !== 200) {
    const reason = await readOAuthError(response);
    throw new IssuerError(`ISSUER_STATUS_${response.status}`, `answered ${response.status}${reason}`);
  }
  const text = await readText(response);
  try {
    return JSON.parse(text);
  } catch {
    // The error of the parser is discarded, because its message quotes the response.
    throw new IssuerError('ISSUER_ANSWER_NOT_JSON', 'answered something that is not JSON');
  }
}

/** An error for an unexpected response of the issuer. The message quotes nothing from the response body except an OAuth error code. */
export class IssuerError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'IssuerError';
    this.code = code;
  }
}

/** Returns a description of a failed request, for the log. @param setting the environment variable that contains the URL */
export function describeFailure(setting: string, failure: unknown): string {
  return `${setting} ${failure instanceof IssuerError ? failure.message : 'did not answer'}`;
}

/** Returns a space and the code of an OAuth error (RFC 6749, section 5.2), or an empty string if the response has no such code. */
async function readOAuthError(response: Response): Promise<string> {
  if (!/^application\/json\b/.test(response.headers.get('Content-Type') ?? '')) {
    await response.body?.cancel();
    return '';
  }
  const answer: unknown = await readText(response)
    .then(JSON.parse)
    .catch(() => null);
  const { error } = (answer ?? {}) as { error?: unknown };
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? ` ${error}` : '';
}

/** Reads a body of at most 64 KiB as text. Counts the decompressed bytes as they arrive, because `Content-Length` cannot be trusted. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  try {
    // An error that is thrown in the loop cancels the rest of the body.
    for await (const chunk of response.body ?? []) {
      byteCount += chunk.byteLength;
      if (byteCount > bodyBytesMax) throw answerTooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw isTooLargeForAgent(error) ? answerTooLarge() : error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function answerTooLarge(): IssuerError {
  return new IssuerError('ISSUER_ANSWER_TOO_LARGE', 'answered more than 64 KiB');
}

/** Returns true if the HTTP agent rejected the body as too large. The agent counts the bytes before decompression. */
function isTooLargeForAgent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}
