import * as z from 'zod';
import { type ErrorCode, errorCodes, issueCodes, stateConflictReasons } from '../error-codes.js';
import { apiVersion } from '../headers.js';
import { allScopes, roles } from '../scopes.js';
import { timestamp } from '../values/fields.js';
import { categoryIdPattern } from '../values/ids.js';
import { webhookDisabledReasons, webhookStatuses } from '../webhooks/webhook-records.js';

/** Returns the name of an error code's schema in the OpenAPI document: `VERSION_CONFLICT` → `VersionConflictError`. */
export function errorSchemaName(code: ErrorCode): string {
  const words = code
    .replace(/_ERROR$/, '')
    .toLowerCase()
    .split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
}

const issue = z.looseObject({ path: z.string(), code: z.enum(issueCodes), message: z.string() });
const nothing = z.strictObject({});

// The schemas of `details`, for the codes whose `details` may have fields (docs/contract.md, section 5).
const details: Partial<Record<ErrorCode, z.ZodType>> = {
  VALIDATION_ERROR: z.strictObject({ issues: z.array(issue).min(1) }),
  STEP_UP_REQUIRED: z.strictObject({ method: z.enum(['totp', 'password']), maxAgeSeconds: z.int() }),
  INSUFFICIENT_SCOPE: z.strictObject({ requiredScopes: z.array(z.enum(allScopes)).min(1) }),
  INSUFFICIENT_ROLE: z.strictObject({ requiredRole: z.enum(roles) }),
  TRACKER_FORBIDDEN: z.strictObject({ trackerIds: z.array(z.string()) }),
  // If a field of the body names the missing record, `resource` and `path` are set, and `path` is the path of that field.
  NOT_FOUND: z.strictObject({
    resource: z.enum(['account', 'cashbox', 'category', 'user']).optional(),
    path: z.string().optional(),
  }),
  VERSION_CONFLICT: z.strictObject({ currentEtag: z.string() }),
  STATE_CONFLICT: z.strictObject({
    reason: z.enum(stateConflictReasons),
    voidedAt: timestamp.optional(),
    // The id of the existing record: `movementId` for `external_id_exists`, `categoryId` for `name_taken`, `lineId` for `line_exists`.
    // In a dry run, `movementId` is null if an earlier item of the same request has the external id: that movement has no id yet.
    movementId: z.uuid().nullable().optional(),
    categoryId: z.string().regex(categoryIdPattern).optional(),
    lineId: z.uuid().optional(),
    transferGroupId: z.uuid().optional(),
    path: z.string().optional(),
    // The status of a webhook endpoint.
    status: z.enum(webhookStatuses).optional(),
    disabledReason: z.enum(webhookDisabledReasons).nullable().optional(),
    // With `cursor_diverged` and `cursor_expired`: the client cannot continue at its position in the events.
    restart: z.literal(true).optional(),
  }),
  PAYLOAD_TOO_LARGE: z.strictObject({ maxBytes: z.int() }),
  RATE_LIMITED: z.strictObject({
    policy: z.string(),
    limit: z.int(),
    windowSeconds: z.int(),
    retryAfterSeconds: z.int(),
  }),
};

const errorMeta = z.strictObject({ apiVersion: z.literal(apiVersion), requestId: z.uuid() });

/** Returns the schema of the error envelope for each error code. The keys are the names of the schemas in the OpenAPI document. */
export function errorSchemas(): Record<string, z.ZodType> {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return Object.fromEntries(
    codes.map((code) => {
      const error = z.strictObject({
        code: z.literal(code),
        message: z.string().min(1),
        details: details[code] ?? nothing,
      });
      const { status, remedy } = errorCodes[code];
      const description = `${status} \`${code}\`. ${remedy} See docs/errors/${code}.md.`;
      return [errorSchemaName(code), z.strictObject({ error, meta: errorMeta }).meta({ description })];
    }),
  );
}
