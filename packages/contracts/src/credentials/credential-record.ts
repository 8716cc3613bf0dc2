import * as z from 'zod';
import { credentialKinds } from '../context/context-record.js';
import { allScopes } from '../scopes.js';
import { timestamp } from '../values/fields.js';
import { secretPrefix } from '../values/secret-format.js';

/**
 * The modes that limit the trackers of a credential. `selected`: the listed trackers. `all_managed`: all trackers in which the owner of
 * the credential has the role owner or admin. `all_memberships`: all trackers of which the owner is a member.
 */
export const accessModes = ['selected', 'all_managed', 'all_memberships'] as const;

/**
 * A credential as GET /api-keys and GET /integration-clients return it, without its secret.
 * @source docs/contract.md, section 3
 */
export const credentialRecord = z.strictObject({
  clientId: z.uuid(),
  kind: z.enum(credentialKinds),
  name: z.string(),
  scopes: z.array(z.enum(allScopes)),
  access: z.strictObject({ mode: z.enum(accessModes), trackerIds: z.array(z.uuid()) }),
  defaultTrackerId: z.uuid().nullable(),
  secretPrefix: z.literal(secretPrefix),
  secretLast4: z.string().length(4),
  status: z.enum(['active', 'expired', 'revoked']),
  expiresAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  rotatedFrom: z.uuid().nullable(),
  createdAt: timestamp,
  revokedAt: timestamp.nullable(),
});

export type Credential = z.output<typeof credentialRecord>;

/** The response to the creation or rotation of a credential: the record and the secret, which no later response contains. */
export const createdCredentialRecord = z.strictObject({ ...credentialRecord.shape, secret: z.string() });

export type CreatedCredential = z.output<typeof createdCredentialRecord>;
