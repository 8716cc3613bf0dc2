import { randomBytes } from 'node:crypto';
import type { FullTenant } from './create-full-tenant.js';

/** A request of a caller in its own tracker. Undefined parts are not sent. */
export interface OwnRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A parameter or field that takes an id, for example `getMovement path.movementId`, `createTransfer body.fromAccountId`. */
export interface Slot {
  readonly operationId: string;
  readonly method: string;
  /** The path from the root, with parameters in braces. */
  readonly template: string;
  readonly where: 'path' | 'query' | 'header' | 'body';
  /** For a body, the dotted path of the field. */
  readonly name: string;
}

/** The part of an OpenAPI document that describes ids. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Returns all parameters and fields that take an id, from the server's OpenAPI document. */
export function slotsOf(document: ApiDocument): Slot[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const shared = { operationId: operation.operationId, method: method.toUpperCase(), template };
      const parameters = (operation.parameters ?? [])
        .map((parameter) => parameterIn(document, parameter))
        .filter(({ name }) => isIdName(name))
        .map(({ name, in: where }) => ({ ...shared, where: where as Slot['where'], name }));
      const schema = operation.requestBody?.content['application/json']?.schema;
      const fields = schema === undefined ? [] : fieldsOf(document, schema, '');
      return [...parameters, ...fields.map((name) => ({ ...shared, where: 'body' as const, name }))];
    }),
  );
}

function parameterIn({ components }: ApiDocument, parameter: Parameter | { readonly $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  return components.parameters[parameter.$ref.replace('#/components/parameters/', '')] as Parameter;
}

const isIdName = (name: string) => /Ids?$|-Id$/.test(name) && name !== 'X-Request-Id';

function fieldsOf(document: ApiDocument, schema: Schema, prefix: string): string[] {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
    return target === undefined ? [] : fieldsOf(document, target, prefix);
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (name.endsWith('Ids')) return [`${path}.0`];
    // The caller chooses the external id of a new movement, so it refers to no existing record.
    return isIdName(name) && name !== 'externalId' ? [path] : fieldsOf(document, field, path);
  });
  const items = schema.items === undefined ? [] : fieldsOf(document, schema.items, `${prefix}.0`);
  return [...new Set([...parts.flatMap((part) => fieldsOf(document, part, prefix)), ...below, ...items])];
}

/**
 * Returns a request for each operation that takes an id, with ids of the tenant. A test fails if an operation is
 * missing.
 */
export function ownRequests(tenant: FullTenant): Readonly<Record<string, OwnRequest>> {
  const { accountId, otherAccountId, cashboxId, categoryId, trackerId, movementId, budgetId, webhookId } = tenant;
  const keyed = { 'Idempotency-Key': randomBytes(12).toString('hex') };
  const selected = { mode: 'selected', trackerIds: [trackerId] };
  const credential = { name: 'x', scopes: ['movements:read'], access: selected };
  const period = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };
  return {
    getContext: {},
    setActiveTracker: { body: { trackerId } },
    setDefaultTracker: { body: { trackerId } },
    listTrackers: {},
    createTracker: { body: { name: 'x', currencyCode: 'EUR', timeZone: 'UTC' } },
    updateTracker: { path: { trackerId }, body: { name: 'Household' } },
    listMembers: { path: { trackerId } },
    addMember: { path: { trackerId }, body: { email: 'nobody@example.org', role: 'viewer' } },
    changeMemberRole: { path: { trackerId, userId: tenant.userId }, body: { role: 'owner' } },
    removeMember: { path: { trackerId, userId: tenant.userId } },
    listInvitations: {},
    acceptInvitation: { path: { trackerId } },
    declineInvitation: { path: { trackerId } },
    listAccounts: {},
    listCashboxes: { path: { accountId } },
    listBalances: {},
    createAccount: { body: { name: 'x', type: 'cash' } },
    updateAccount: { path: { accountId }, body: { name: 'x' } },
    createCashbox: { path: { accountId }, body: { name: 'x' } },
    updateCashbox: { path: { cashboxId }, body: { name: 'x' } },
    listCategories: {},
    getCategory: { path: { categoryId } },
    createCategory: { headers: keyed, body: { name: 'x' } },
    listMovements: {},
    createMovement: { headers: keyed, body: { type: 'expense', amountDecimal: '1.00', accountId, cashboxId } },
    createMovements: {
      headers: keyed,
      body: { movements: [{ type: 'expense', amountDecimal: '1.00', accountId, cashboxId }] },
    },
    summarizeMovements: { query: { groupBy: 'month' } },
    getMovement: { path: { movementId } },
    correctMovement: {
      path: { movementId },
      headers: { ...keyed, 'If-Match': tenant.movementEtag },
      body: { description: 'x' },
    },
    voidMovement: { path: { movementId }, headers: { ...keyed, 'If-Match': tenant.movementEtag } },
    createTransfer: {
      headers: keyed,
      body: { amountDecimal: '1.00', fromAccountId: accountId, toAccountId: otherAccountId },
    },
    getTransfer: { path: { groupId: tenant.groupId } },
    voidTransfer: { path: { groupId: tenant.groupId }, headers: { ...keyed, 'If-Match': '"other"' } },
    listBudgets: {},
    getBudget: { path: { budgetId } },
    createBudget: {
      headers: keyed,
      body: { name: 'x', mode: 'planning', ...period, lines: [{ categoryId, plannedDecimal: '1.00' }] },
    },
    addBudgetLine: { path: { budgetId }, headers: keyed, body: { categoryId, plannedDecimal: '1.00', type: 'income' } },
    listChanges: { query: { include: 'record' } },
    listWebhooks: {},
    getWebhook: { path: { webhookId } },
    createWebhook: { body: { url: 'https://hooks.invalid/' } },
    updateWebhook: { path: { webhookId }, body: { description: 'x' } },
    rotateWebhookSecret: { path: { webhookId } },
    testWebhook: { path: { webhookId } },
    listWebhookDeliveries: { path: { webhookId } },
    retryWebhookDelivery: { path: { webhookId, deliveryId: tenant.deliveryId } },
    replayWebhook: { path: { webhookId }, body: { fromSequence: 1 } },
    deleteWebhook: { path: { webhookId } },
    listAuditEvents: { query: { resourceType: 'movement' } },
    getAuditHead: {},
    listSecurityEvents: {},
    listApiKeys: {},
    createApiKey: { body: credential },
    rotateApiKey: { path: { clientId: tenant.apiKeyId }, body: {} },
    revokeApiKey: { path: { clientId: tenant.apiKeyId } },
    listIntegrationClients: {},
    createIntegrationClient: { body: credential },
    revokeIntegrationClient: { path: { clientId: tenant.clientId } },
  };
}

/** Returns the tenant's id for a slot. */
export function idFor({ operationId, name }: Slot, tenant: FullTenant): string {
  const field = name.replace(/^.*\.(?=[a-z])/i, '').replace(/\.0$/, '');
  if (/tracker-?ids?$/i.test(field)) return tenant.trackerId;
  if (/accountId$/i.test(field)) return tenant.accountId;
  if (/cashboxId$/i.test(field)) return tenant.cashboxId;
  if (/^(categoryIds?|parentId)$/.test(field)) return tenant.categoryId;
  if (field === 'resourceId') return tenant.movementId;
  if (field === 'actorId') return tenant.userId;
  if (field === 'clientId') return operationId.includes('ApiKey') ? tenant.apiKeyId : tenant.clientId;
  const id =
    tenant[field as 'movementId' | 'externalId' | 'groupId' | 'budgetId' | 'userId' | 'webhookId' | 'deliveryId'];
  if (id === undefined) throw new Error(`There is no id for ${operationId} ${name}. Add it to idFor.`);
  return id;
}

/** Returns an unknown id of the same form: only the last 12 characters differ, so a UUIDv7 keeps its timestamp. */
export function unknownIdLike(id: string): string {
  return id.slice(0, -12) + randomBytes(6).toString('hex');
}

/** Returns the request with an id in the slot. */
export function fillSlot({ where, name }: Slot, request: OwnRequest, id: string): OwnRequest {
  if (where === 'body') return { ...request, body: withField(request.body ?? {}, name.split('.'), id) };
  const part = where === 'header' ? 'headers' : where;
  return { ...request, [part]: { ...request[part], [name]: id } };
}

function withField(target: unknown, [step = '', ...rest]: readonly string[], id: string): unknown {
  const inner = (target ?? {}) as Record<string, unknown>;
  const value = rest.length === 0 ? id : withField(inner[step], rest, id);
  return Array.isArray(target)
    ? target.map((item, index) => (String(index) === step ? value : item))
    : { ...inner, [step]: value };
}
