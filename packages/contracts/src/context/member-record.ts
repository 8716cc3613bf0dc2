import * as z from 'zod';
import { roles } from '../scopes.js';
import { timestamp } from '../values/fields.js';

/** A user's place in a tracker. Source: contract, section 9. */
export const memberRecord = z.strictObject({
  userId: z.uuid(),
  email: z.string().nullable(),
  displayName: z.string().nullable(),
  role: z.enum(roles),
  createdAt: timestamp,
});

export type Member = z.output<typeof memberRecord>;
