import * as z from 'zod';
import { allScopes } from '../scopes.js';
import { isCalendarDate } from '../values/calendar-date.js';
import { absentIfNull, nameField, refuse, uuidField } from '../values/fields.js';

const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** A time in the format of RFC 3339, converted to UTC with milliseconds. */
const momentField = z
  .string()
  .meta({ format: 'date-time', examples: ['2027-01-31T12:00:00Z'] })
  .transform((text, context) => {
    const match = rfc3339.exec(text);
    if (match === null || !isCalendarDate(match[1] ?? '')) {
      refuse(context, 'INVALID_FORMAT', 'Send an RFC 3339 time with a zone, such as "2027-01-31T12:00:00Z".');
      return text;
    }
    return new Date(text.toUpperCase()).toISOString();
  });

/**
 * The maximum number of trackers in an access list.
 * @source docs/contract.md, section 4
 */
const trackerIdsMax = 100;

const scopeList = z
  .array(z.enum(allScopes))
  .meta({ minItems: 1, uniqueItems: true })
  .transform((list, context) => {
    if (list.length === 0) refuse(context, 'REQUIRED', 'Send at least one scope.');
    if (new Set(list).size !== list.length) refuse(context, 'INVALID_FORMAT', 'Send each scope once.');
    return list;
  });

const trackerIdList = z
  .array(uuidField)
  .meta({ minItems: 1, maxItems: trackerIdsMax, uniqueItems: true })
  .transform((list, context) => {
    if (list.length > trackerIdsMax)
      refuse(context, 'TOO_LONG', `Send at most ${trackerIdsMax} trackers, or use mode "all_managed".`);
    if (new Set(list).size !== list.length) refuse(context, 'INVALID_FORMAT', 'Send each tracker once.');
    return list;
  });

/** Returns the schema of `access`. Only the mode `selected` has a list of trackers. */
function accessField<const Mode extends string>(modesWithoutList: readonly [Mode, ...Mode[]]) {
  return z
    .strictObject({ mode: z.enum(['selected', ...modesWithoutList]), trackerIds: absentIfNull(trackerIdList) })
    .transform((access, context) => {
      const fail = (code: 'REQUIRED' | 'FIELD_CONFLICT', message: string) =>
        context.addIssue({ code: 'custom', path: ['trackerIds'], message, params: { code } });
      if (access.mode === 'selected' && (access.trackerIds ?? []).length === 0) {
        fail('REQUIRED', 'Send at least one tracker that the credential may use.');
      }
      if (access.mode !== 'selected' && access.trackerIds !== undefined) {
        fail('FIELD_CONFLICT', `Omit trackerIds with mode "${access.mode}".`);
      }
      return { mode: access.mode, trackerIds: access.trackerIds ?? [] };
    });
}

/**
 * The body of POST /api-keys.
 * @source docs/financial-integration-api.md, Credential creation fields; docs/contract.md, section 4
 */
export const createApiKeyBody = z.strictObject({
  name: nameField,
  scopes: scopeList,
  access: accessField(['all_managed']),
  defaultTrackerId: absentIfNull(uuidField),
  // `null` is rejected, because clients could expect it to mean "never expires" (docs/contract.md, section 4).
  expiresAt: momentField.optional(),
});

/** The body of POST /integration-clients. Without `access`, the client may use all trackers of which its owner is a member. */
export const createIntegrationClientBody = z.strictObject({
  ...createApiKeyBody.shape,
  // `null` is rejected, because clients could expect it to mean access to everything.
  access: accessField(['all_managed', 'all_memberships']).optional(),
});

/**
 * The body of POST /api-keys/{clientId}/rotate. Without `name`, the new key has the name of the old key. The new key always has the
 * scopes, the access and the default tracker of the old key.
 */
export const rotateApiKeyBody = z.strictObject({ name: absentIfNull(nameField), expiresAt: momentField.optional() });

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateApiKeyInput = z.input<typeof createApiKeyBody>;
export type CreateIntegrationClientInput = z.input<typeof createIntegrationClientBody>;
export type RotateApiKeyInput = z.input<typeof rotateApiKeyBody>;
