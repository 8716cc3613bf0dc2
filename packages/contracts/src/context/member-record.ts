import * as z from 'zod';
import { roles } from '../scopes.js';
import { timestamp } from '../values/fields.js';

const person = {
  userId: z.uuid(),
  email: z.string().nullable(),
  displayName: z.string().nullable(),
};

/**
 * A user who belongs to a tracker or is invited to it.
 * @source docs/contract.md, section 9
 */
export const memberRecord = z.strictObject({
  ...person,
  role: z.enum(roles),
  status: z.enum(['invited', 'active']),
  createdAt: timestamp,
  registeredAt: timestamp,
});

export type Member = z.output<typeof memberRecord>;

/**
 * An open invitation, as the invited user sees it.
 * @source docs/contract.md, section 9
 */
export const invitationRecord = z.strictObject({
  trackerId: z.uuid(),
  trackerName: z.string(),
  role: z.enum(roles),
  invitedBy: z.strictObject(person),
  createdAt: timestamp,
  expiresAt: timestamp,
});

export type Invitation = z.output<typeof invitationRecord>;
