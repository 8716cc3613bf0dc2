/** The way to the issuer; tests replace both, and so decide about time. */
export interface Network {
  readonly fetch: typeof fetch;
  /** A signal that aborts after `ms` milliseconds. */
  readonly timeoutSignal: (ms: number) => AbortSignal;
}

const timeoutMs = 2_000;
const bodyBytesMax = 64 * 1024;

/**
 * Fetches a small JSON document of the issuer: 2 s for the whole, 64 KiB, no redirects, because the address is the
 * operator's to say and nobody else's.
 * @throws IssuerFault for an answer that is not status 200 with JSON in it; whatever `fetch` throws
 */
export async function fetchSmallJson(request: {
  readonly network: Network;
  readonly url: string;
  readonly post?: { readonly headers: Readonly<Record<string, string>>; readonly form: URLSearchParams };
}): Promise<unknown> {
  const { network, url, post } = request;
  const response = await network.fetch(url, {
    method: post === undefined ? 'GET' : 'POST',
    headers: { Accept: 'application/json', ...post?.headers },
    body: post?.form ?? null,
    redirect: 'error',
    signal: network.timeoutSignal(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new IssuerFault(`ISSUER_STATUS_${response.status}`);
  }
  const text = await readText(response);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the text.
    throw new IssuerFault('ISSUER_ANSWER_NOT_JSON');
  }
}

/** The issuer answered something else than it should; the code goes to the log, which shows no messages. */
export class IssuerFault extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = 'IssuerFault';
    this.code = code;
  }
}

/** Counted as it comes and after decompression: a length that a header claims proves nothing. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  // Leaving the loop by a throw cancels the rest of the body.
  for await (const chunk of response.body ?? []) {
    byteCount += chunk.byteLength;
    if (byteCount > bodyBytesMax) throw new IssuerFault('ISSUER_ANSWER_TOO_LARGE');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
