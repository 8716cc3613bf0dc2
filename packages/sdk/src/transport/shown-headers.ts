/** What says who is calling, to the server or to something in front of it. */
const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** A request's headers as a hook may see and log them: a copy, so that nothing it does changes what is sent. */
export function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? '[redacted]' : value]);
  return Object.fromEntries(shown);
}
