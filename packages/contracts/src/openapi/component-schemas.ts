import * as z from 'zod';
import {
  accountRecord,
  accountWithCashboxesRecord,
  balanceRecord,
  cashboxRecord,
} from '../accounts/account-records.js';
import { createAccountBody, createCashboxBody, updateAccountBody } from '../accounts/account-requests.js';
import { budgetDetailRecord, budgetLineRecord, budgetRecord } from '../budgets/budget-records.js';
import { addBudgetLineBody, createBudgetBody } from '../budgets/budget-requests.js';
import { categoryRecord } from '../categories/category-record.js';
import { createCategoryBody } from '../categories/category-requests.js';
import { contextRecord } from '../context/context-record.js';
import {
  addMemberBody,
  changeMemberRoleBody,
  chooseTrackerBody,
  createTrackerBody,
  updateTrackerBody,
} from '../context/context-requests.js';
import { invitationRecord, memberRecord } from '../context/member-record.js';
import { trackerRecord } from '../context/tracker-record.js';
import { createdCredentialRecord, credentialRecord } from '../credentials/credential-record.js';
import { createApiKeyBody, createIntegrationClientBody, rotateApiKeyBody } from '../credentials/credential-requests.js';
import { successMeta } from '../envelope.js';
import { auditEventRecord, auditHeadRecord } from '../events/audit-events.js';
import { changeRecord } from '../events/change-record.js';
import { securityEventRecord } from '../events/security-events.js';
import {
  meRecord,
  sessionRecord,
  steppedUpRecord,
  totpEnrolmentRecord,
  userRecord,
} from '../identity/identity-records.js';
import { createSessionBody, createUserBody, refreshSessionBody, totpCodeBody } from '../identity/identity-requests.js';
import { bulkResultRecord, createMovementsBody } from '../movements/bulk-movements.js';
import { movementRecord, movementSummaryRecord } from '../movements/movement-record.js';
import { correctMovementBody, createMovementBody, voidBody } from '../movements/movement-requests.js';
import { previewOf } from '../preview.js';
import type { RouteContract } from '../route-contract.js';
import { routes } from '../routes.js';
import { transferRecord } from '../transfers/transfer-record.js';
import { createTransferBody } from '../transfers/transfer-requests.js';
import {
  createdWebhookRecord,
  webhookDeliveryRecord,
  webhookRecord,
  webhookReplayRecord,
} from '../webhooks/webhook-records.js';
import {
  createWebhookBody,
  replayWebhookBody,
  rotateWebhookSecretBody,
  updateWebhookBody,
  webhookActionBody,
} from '../webhooks/webhook-requests.js';
import { errorSchemas } from './error-schemas.js';
import { type JsonSchema, printerOptions, reference } from './json-schema.js';
import { schemaTexts } from './schema-texts.js';

// The schemas of requests. Each key is the name of a component in the OpenAPI document, and also the name of the schema's TypeScript type,
// if there is one. Only `RenameOrArchiveInput` is not the name of a type: the updates of accounts and of cashboxes share this component.
const requests: Readonly<Record<string, z.ZodType>> = {
  ChooseTrackerInput: chooseTrackerBody,
  CreateTrackerInput: createTrackerBody,
  UpdateTrackerInput: updateTrackerBody,
  AddMemberInput: addMemberBody,
  ChangeMemberRoleInput: changeMemberRoleBody,
  CreateAccountInput: createAccountBody,
  CreateCashboxInput: createCashboxBody,
  RenameOrArchiveInput: updateAccountBody,
  CreateCategoryInput: createCategoryBody,
  CreateMovementInput: createMovementBody,
  CreateMovementsInput: createMovementsBody,
  CorrectMovementInput: correctMovementBody,
  VoidInput: voidBody,
  CreateTransferInput: createTransferBody,
  CreateBudgetInput: createBudgetBody,
  AddBudgetLineInput: addBudgetLineBody,
  CreateWebhookInput: createWebhookBody,
  UpdateWebhookInput: updateWebhookBody,
  RotateWebhookSecretInput: rotateWebhookSecretBody,
  WebhookActionInput: webhookActionBody,
  ReplayWebhookInput: replayWebhookBody,
  CreateApiKeyInput: createApiKeyBody,
  CreateIntegrationClientInput: createIntegrationClientBody,
  RotateApiKeyInput: rotateApiKeyBody,
  CreateUserInput: createUserBody,
  CreateSessionInput: createSessionBody,
  RefreshSessionInput: refreshSessionBody,
  TotpCodeInput: totpCodeBody,
};

const records: Readonly<Record<string, z.ZodType>> = {
  Context: contextRecord,
  Tracker: trackerRecord,
  Member: memberRecord,
  Invitation: invitationRecord,
  Account: accountRecord,
  AccountWithCashboxes: accountWithCashboxesRecord,
  Cashbox: cashboxRecord,
  Balance: balanceRecord,
  Category: categoryRecord,
  Movement: movementRecord,
  BulkResult: bulkResultRecord,
  MovementSummary: movementSummaryRecord,
  Transfer: transferRecord,
  Change: changeRecord,
  AuditEvent: auditEventRecord,
  AuditHead: auditHeadRecord,
  SecurityEvent: securityEventRecord,
  Budget: budgetRecord,
  BudgetDetail: budgetDetailRecord,
  BudgetLine: budgetLineRecord,
  Webhook: webhookRecord,
  CreatedWebhook: createdWebhookRecord,
  WebhookDelivery: webhookDeliveryRecord,
  WebhookReplay: webhookReplayRecord,
  Credential: credentialRecord,
  CreatedCredential: createdCredentialRecord,
  User: userRecord,
  Session: sessionRecord,
  Me: meRecord,
  TotpEnrolment: totpEnrolmentRecord,
  SteppedUp: steppedUpRecord,
};

/** Returns the schemas of the records in `data`: the elements of an array, the alternatives of a union, or `data` itself. */
function partsOf(data: z.ZodType): readonly z.ZodType[] {
  if (data instanceof z.ZodArray) return partsOf(data.element as z.ZodType);
  if (data instanceof z.ZodUnion) return (data.def.options as z.ZodType[]).flatMap(partsOf);
  return [data];
}

// The schemas of dry-run results. Each key is the name of a component, such as `MovementPreview`.
const previews: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(records)
    .filter(([, record]) =>
      Object.values<RouteContract>(routes).some(
        ({ dryRun, data }) => dryRun && data !== null && partsOf(data).includes(record),
      ),
    )
    .map(([name, record]) => [`${name}Preview`, previewOf(record)]),
);

// The schema of `meta` for each kind of response. Each schema has only some of the fields of `successMeta`.
const { idempotentReplay, pagination, dryRun, effects, summary, bulk, feed, ...always } = successMeta.shape;
const metas = {
  Meta: z.strictObject(always),
  PageMeta: z.strictObject({ ...always, pagination: pagination.unwrap() }),
  SummaryMeta: z.strictObject({ ...always, summary: summary.unwrap() }),
  FeedMeta: z.strictObject({ ...always, feed: feed.unwrap() }),
  ReplayMeta: z.strictObject({ ...always, idempotentReplay: idempotentReplay.unwrap() }),
  FirstOrReplayMeta: z.strictObject({ ...always, idempotentReplay }),
  BulkMeta: z.strictObject({ ...always, bulk: bulk.unwrap() }),
  BulkReplayMeta: z.strictObject({ ...always, idempotentReplay, bulk: bulk.unwrap() }),
  DryRunMeta: z.strictObject({ ...always, idempotentReplay, dryRun: dryRun.unwrap(), effects: effects.unwrap() }),
  BulkDryRunMeta: z.strictObject({
    ...always,
    idempotentReplay,
    dryRun: dryRun.unwrap(),
    effects: effects.unwrap(),
    bulk: bulk.unwrap(),
  }),
} as const;

/** The names of the components for `meta`. */
export type MetaName = keyof typeof metas;

/**
 * Returns all named schemas of the document: requests as clients send them, and records and errors as the server returns
 * them.
 */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...print(requests, 'input'), ...print({ ...records, ...previews, ...metas, ...errorSchemas() }, 'output') };
}

/**
 * Returns a reference to a named schema. For an array, returns an array schema; for a union, an `anyOf` of references.
 * @throws Error if a route uses a schema that has no name here
 */
export function schemaReference(schema: z.ZodType): JsonSchema {
  if (schema instanceof z.ZodArray) return { type: 'array', items: schemaReference(schema.element as z.ZodType) };
  if (schema instanceof z.ZodUnion) return { anyOf: (schema.def.options as z.ZodType[]).map(schemaReference) };
  const named = Object.entries({ ...requests, ...records, ...previews }).find(([, candidate]) => candidate === schema);
  if (named === undefined) throw new Error('A route has a schema without a name. Add it to component-schemas.ts.');
  return reference('schemas', named[0]);
}

function print(named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { ...printerOptions(io), uri });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _, $schema: __, ...schema }]) => [name, withTexts(name, schema)]),
  );
}

function withTexts(name: string, schema: JsonSchema): JsonSchema {
  const texts = schemaTexts[name];
  if (texts === undefined) return schema;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([field, printed]) => {
    const text = texts.fields?.[field];
    const description = [printed.description, text].filter((part) => part !== undefined).join(' ');
    return [field, description === '' ? printed : { ...printed, description }];
  });
  return { ...schema, description: texts.text, properties: Object.fromEntries(properties) };
}
