import * as z from 'zod';
import { allScopes } from '../scopes.js';
import { timestamp } from '../values/fields.js';

/** The kinds of credentials. `secure` and `legacy` are API keys. `legacy` keys work like the keys of the API before v1.1. */
export const credentialKinds = ['secure', 'legacy', 'integration_client'] as const;

/**
 * The principal of a request, the default tracker, and the effective tracker: the tracker in which the request acts. `activeTrackerId`
 * is the id of the effective tracker, even if the header `X-Service-Tracker-Id` determined it. After a choice of the active or default
 * tracker, it is instead the tracker in which a request without this header now acts.
 * @source docs/contract.md, section 3
 */
export const contextRecord = z.strictObject({
  activeTrackerId: z.uuid().nullable(),
  defaultTrackerId: z.uuid().nullable(),
  resolvedBy: z.enum(['header', 'single', 'active', 'default']).nullable(),
  principal: z.strictObject({
    type: z.enum(['user', 'integration_client']),
    id: z.uuid(),
    name: z.string(),
    kind: z.enum(credentialKinds).nullable(),
    scopes: z.array(z.enum(allScopes)),
    expiresAt: timestamp.nullable(),
  }),
});

export type Context = z.output<typeof contextRecord>;
