import {
  type EventResourceType,
  eventResourceTypes,
  type Role,
  readScopeOfEvents,
  roleOfScope,
  roleReaches,
  type Scope,
} from '@centavo/contracts';
import type { Principal } from '../../auth/principal.js';

/** The rights of a principal that reads events. The principal is a caller or the owner of a webhook endpoint. */
export interface EventReader {
  readonly principal: Pick<Principal, 'type' | 'scopes'>;
  /** The role of the principal's user in the tracker. */
  readonly role: Role;
}

/**
 * Returns the resource types whose events and records a principal may read. The principal gets no events of other types.
 * @source docs/additions.md, section 3.6
 */
export function readableResourceTypes({ principal, role }: EventReader): ReadonlySet<string> {
  const may = (scope: Scope) => {
    const least = roleOfScope[scope];
    return principal.scopes.includes(scope) && (least === null || roleReaches(role, least));
  };
  const mayReadMembers = principal.type === 'user' || may('audit:read');
  const isReadable = (type: EventResourceType) => (type === 'member' ? mayReadMembers : may(readScopeOfEvents[type]));
  return new Set(eventResourceTypes.filter(isReadable));
}
