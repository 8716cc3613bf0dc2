/**
 * The minimum length of a token that is redacted. Real tokens are longer. Redacting a short token such as `test` would replace parts of
 * ordinary words.
 */
const tokenLengthMin = 8;

/** Headers with credentials, for the server or for a proxy. */
const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Returns a text with the token redacted, also where the token is escaped as in JSON. Messages of the server, a proxy or the
 * network become part of errors, and programs log errors.
 */
export function redactToken(text: string, token: string | null): string {
  if (token === null || token.length < tokenLengthMin) return text;
  return text.replaceAll(token, '[redacted]').replaceAll(JSON.stringify(token).slice(1, -1), '[redacted]');
}

/** Returns the headers of a response with the token redacted. */
export function redactTokenInHeaders(headers: Headers, token: string | null): Headers {
  const redacted = new Headers(headers);
  for (const [name, value] of headers) {
    // Sets only changed headers, because `set` would replace several Set-Cookie headers with one.
    const text = redactToken(value, token);
    if (text !== value) redacted.set(name, text);
  }
  return redacted;
}

/**
 * Returns a copy of a request's headers for hooks, with the credentials redacted. A hook that changes the copy does not change the
 * request.
 */
export function redactCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, secretHeaders.has(name) ? '[redacted]' : value]));
}
