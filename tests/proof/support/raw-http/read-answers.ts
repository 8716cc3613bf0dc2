/** One response of a connection. */
export interface RawAnswer {
  readonly status: number;
  /** The headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Splits the bytes of a connection into responses by their Content-Length.
 * @returns null if the bytes are not a sequence of complete responses
 */
export function readAnswers(bytes: Buffer): RawAnswer[] | null {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd === -1) return null;
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) return null;
    const headers = Object.fromEntries(lines.map(splitHeader));
    const length = Number(headers['content-length'] ?? 0);
    const bodyAt = headEnd + 4;
    if (bodyAt + length > bytes.length) return null;
    at = bodyAt + length;
    // Skips an interim response (1xx). The final response follows it.
    if (status >= 200) answers.push({ status, headers, body: bytes.toString('utf8', bodyAt, at) });
  }
  return answers;
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** Returns the violation if a response is a 5xx or does not have the envelope. No request may get such a response. */
export function faultOf({ status, headers, body }: RawAnswer): 'serverFailure' | 'withoutEnvelope' | undefined {
  if (status >= 500) return 'serverFailure';
  if (status === 204 || status === 304) return body === '' ? undefined : 'withoutEnvelope';
  if (headers['content-type'] !== 'application/json; charset=utf-8') return 'withoutEnvelope';
  try {
    const { data, error, meta } = JSON.parse(body);
    const isNamed = meta.requestId === headers['x-request-id'] && typeof meta.requestId === 'string';
    const isError = typeof error?.code === 'string' && typeof error.message === 'string' && error.details !== null;
    return isNamed && (status < 400 ? data !== undefined : isError) ? undefined : 'withoutEnvelope';
  } catch {
    return 'withoutEnvelope';
  }
}
