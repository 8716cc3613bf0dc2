/** No issuer gives out shorter ones. What is, a `test` in somebody's tests, would be struck out of the middle of words. */
const tokenLengthMin = 8;

/**
 * A text of the server, of a proxy or of the network with the token struck out, also where it is spelled as JSON spells it.
 * What they echo ends in errors, and errors end in logs.
 */
export function strikeToken(text: string, token: string | null): string {
  if (token === null || token.length < tokenLengthMin) return text;
  return text.replaceAll(token, '[redacted]').replaceAll(JSON.stringify(token).slice(1, -1), '[redacted]');
}

/** The headers of an answer with the token struck out of their values. */
export function strikeTokenFromHeaders(headers: Headers, token: string | null): Headers {
  const struck = new Headers(headers);
  for (const [name, value] of headers) {
    // Only those that hold it are written anew: several Set-Cookie would become one.
    const told = strikeToken(value, token);
    if (told !== value) struck.set(name, told);
  }
  return struck;
}
