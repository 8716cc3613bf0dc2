import { createHash } from 'node:crypto';

/**
 * The strong ETag of one version of one movement: bound to the record, so that a tag of another movement never matches,
 * and to its version rather than its content. Source: contract, section 6.
 */
export function movementEtag(movement: { readonly id: string; readonly version: number }): string {
  const digest = createHash('sha256').update(`${movement.id}|${movement.version}`).digest('base64url');
  return `"${digest.slice(0, 22)}"`;
}
