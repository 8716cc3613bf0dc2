/**
 * Returns whether an entry of `eventTypes` matches a type of event. An entry is a type, a prefix such as `movement.*`, or `*`.
 * @source docs/additions.md, section 5.1
 */
export function matchesEventType(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
