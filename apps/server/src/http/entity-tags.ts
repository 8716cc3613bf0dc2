const entityTag = /^"[\x21\x23-\x7e]*"$/;

/**
 * The strong entity tags of an If-Match header, or undefined where one is weak, malformed or `*`: a correction names the
 * version that was fetched. Source: contract, section 6.
 */
export function parseIfMatch(header: string): readonly string[] | undefined {
  const tags = splitTags(header);
  return tags.length > 0 && tags.every((tag) => entityTag.test(tag)) ? tags : undefined;
}

/** Whether an If-None-Match header names `etag`, weakly compared as RFC 9110 asks. */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return splitTags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

function splitTags(header: string): string[] {
  // A tag may hold a comma inside its quotes.
  return (header.match(/(?:[^,"]|"[^"]*"?)+/g) ?? []).map((tag) => tag.trim()).filter((tag) => tag !== '');
}
