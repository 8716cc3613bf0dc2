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
    const reason = await readRefusal(response);
    throw new IssuerFault(`ISSUER_STATUS_${response.status}`, `answered ${response.status}${reason}`);
  }
  const text = await readText(response);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the text.
    throw new IssuerFault('ISSUER_ANSWER_NOT_JSON', 'answered something that is not JSON');
  }
}

/** The issuer answered something else than it should; the message says what, quoting nothing but its code for it. */
export class IssuerFault extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'IssuerFault';
    this.code = code;
  }
}

/** What went wrong at the address of a setting, as a line for the log. */
export function describeFailure(setting: string, failure: unknown): string {
  return `${setting} ${failure instanceof IssuerFault ? failure.message : 'did not answer'}`;
}

/** The code of an OAuth refusal (RFC 6749, section 5.2), after a space; nothing where there is none. */
async function readRefusal(response: Response): Promise<string> {
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

/** Counted as it comes and after decompression: a length that a header claims proves nothing. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  // Leaving the loop by a throw cancels the rest of the body.
  for await (const chunk of response.body ?? []) {
    byteCount += chunk.byteLength;
    if (byteCount > bodyBytesMax) throw new IssuerFault('ISSUER_ANSWER_TOO_LARGE', 'answered more than 64 KiB');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
