import * as z from 'zod';
import { roles } from '../scopes.js';
import { currencyCode, timestamp } from '../values/fields.js';

/**
 * A tracker with the role of the caller. `isActive` is true for the active tracker of the caller, and `isDefault` for the default
 * tracker.
 */
export const trackerRecord = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  role: z.enum(roles),
  currencyCode,
  timeZone: z.string(),
  isActive: z.boolean(),
  isDefault: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type Tracker = z.output<typeof trackerRecord>;
