/** The pattern of a UUID of any version, in upper or lower case. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether `text` is a UUID of any version. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** The pattern of a category id. */
export const categoryIdPattern = /^[A-Za-z0-9_-]{1,100}$/;

/** Returns whether `text` may be a category id. Other strings must not reach PostgreSQL, which rejects some of them. */
export function isCategoryId(text: string): boolean {
  return categoryIdPattern.test(text);
}
