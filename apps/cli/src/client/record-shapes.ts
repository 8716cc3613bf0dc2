import type {
  Account,
  AccountWithCashboxes,
  AuditEvent,
  AuditHead,
  Balance,
  Budget,
  BudgetDetail,
  BudgetLine,
  Cashbox,
  Category,
  Change,
  Context,
  CreatedCredential,
  CreatedWebhook,
  Credential,
  Invitation,
  Me,
  Member,
  Movement,
  SecurityEvent,
  Session,
  SteppedUp,
  TotpEnrolment,
  Tracker,
  Transfer,
  User,
  Webhook,
  WebhookDelivery,
  WebhookReplay,
} from '@centavo/sdk';
import type { ShapeOf } from './shape.js';

export const tracker: ShapeOf<Tracker> = {
  id: 'id',
  name: 'text',
  role: 'text',
  currencyCode: 'currency',
  timeZone: 'text',
  isActive: 'flag',
  isDefault: 'flag',
  createdAt: 'time',
  updatedAt: 'time',
};

/** The fields `record` and `change` are not checked, because their content depends on the type of the resource. */
export const change: ShapeOf<Omit<Change, 'record' | 'change'>> = {
  sequence: 'number',
  id: 'id',
  type: 'text',
  occurredAt: 'time',
  resource: { type: 'text', id: 'id' },
  actor: { type: 'text', id: 'id?' },
  requestId: 'id',
  hash: 'text',
};

const person: ShapeOf<Invitation['invitedBy']> = { userId: 'id', email: 'text?', displayName: 'text?' };

export const member: ShapeOf<Member> = {
  ...person,
  role: 'text',
  status: 'text',
  createdAt: 'time',
  registeredAt: 'time',
};

export const invitation: ShapeOf<Invitation> = {
  trackerId: 'id',
  trackerName: 'text',
  role: 'text',
  invitedBy: person,
  createdAt: 'time',
  expiresAt: 'time',
};

export const context: ShapeOf<Context> = {
  activeTrackerId: 'id?',
  defaultTrackerId: 'id?',
  resolvedBy: 'text?',
  principal: { type: 'text', id: 'id', name: 'text', kind: 'text?', scopes: ['text'], expiresAt: 'time?' },
};

export const category: ShapeOf<Category> = {
  id: 'id',
  name: 'text',
  kind: 'text',
  scope: 'text',
  trackerId: 'id?',
  parentId: 'id?',
  isUnknown: 'flag',
  status: 'text',
  createdAt: 'time',
  updatedAt: 'time',
};

export const account: ShapeOf<Account> = {
  id: 'id',
  trackerId: 'id',
  name: 'text',
  type: 'text',
  currencyCode: 'currency',
  status: 'text',
  eligibleCashboxCount: 'number',
  createdAt: 'time',
  updatedAt: 'time',
};

export const cashbox: ShapeOf<Cashbox> = {
  id: 'id',
  accountId: 'id',
  trackerId: 'id',
  name: 'text',
  currencyCode: 'currency',
  isEligible: 'flag',
  status: 'text',
  createdAt: 'time',
  updatedAt: 'time',
};

export const accountWithCashboxes: ShapeOf<AccountWithCashboxes> = { ...account, cashboxes: [cashbox] };

export const balance: ShapeOf<Balance> = {
  accountId: 'id',
  accountName: 'text',
  cashboxId: 'id',
  cashboxName: 'text',
  currencyCode: 'currency',
  balanceDecimal: 'amount',
  asOf: 'time',
  asOfDate: 'date?',
};

export const movement: ShapeOf<Movement> = {
  id: 'id',
  trackerId: 'id',
  type: 'text',
  kind: 'text',
  amountDecimal: 'amount',
  currencyCode: 'currency',
  accountId: 'id',
  cashboxId: 'id',
  categoryId: 'id?',
  occurredOn: 'date',
  description: 'text?',
  merchantName: 'text?',
  transferGroupId: 'id?',
  externalId: 'text?',
  source: { type: 'text', id: 'id' },
  version: 'number',
  voidedAt: 'time?',
  createdAt: 'time',
  updatedAt: 'time',
};

const transferSide: ShapeOf<Transfer['from']> = { accountId: 'id', cashboxId: 'id', movementId: 'id' };

export const transfer: ShapeOf<Transfer> = {
  groupId: 'id',
  trackerId: 'id',
  amountDecimal: 'amount',
  currencyCode: 'currency',
  occurredOn: 'date',
  description: 'text?',
  from: transferSide,
  to: transferSide,
  movements: [movement],
  voidedAt: 'time?',
  createdAt: 'time',
};

export const budget: ShapeOf<Budget> = {
  id: 'id',
  trackerId: 'id',
  name: 'text',
  mode: 'text',
  status: 'text',
  currencyCode: 'currency',
  periodStart: 'date',
  periodEnd: 'date',
  lineCount: 'number',
  createdAt: 'time',
  updatedAt: 'time',
};

export const budgetLine: ShapeOf<BudgetLine> = {
  id: 'id',
  budgetId: 'id',
  categoryId: 'id',
  type: 'text',
  plannedDecimal: 'amount',
  actualDecimal: 'amount?',
  remainingDecimal: 'amount?',
  note: 'text?',
  createdAt: 'time',
};

const budgetTotals: ShapeOf<BudgetDetail['summary']['expense']> = {
  plannedDecimal: 'amount',
  actualDecimal: 'amount?',
  remainingDecimal: 'amount?',
  unplannedDecimal: 'amount?',
};

export const budgetDetail: ShapeOf<BudgetDetail> = {
  ...budget,
  lines: [budgetLine],
  summary: { expense: budgetTotals, income: budgetTotals },
  progress: { daysTotal: 'number', daysElapsed: 'number', elapsedRatio: 'amount', expenseRatio: 'amount?' },
};

export const credential: ShapeOf<Credential> = {
  clientId: 'id',
  kind: 'text',
  name: 'text',
  scopes: ['text'],
  access: { mode: 'text', trackerIds: ['id'] },
  defaultTrackerId: 'id?',
  secretPrefix: 'text',
  secretLast4: 'text',
  status: 'text',
  expiresAt: 'time',
  lastUsedAt: 'time?',
  rotatedFrom: 'id?',
  createdAt: 'time',
  revokedAt: 'time?',
};

export const createdCredential: ShapeOf<CreatedCredential> = { ...credential, secret: 'secret' };

export const webhook: ShapeOf<Webhook> = {
  id: 'id',
  trackerId: 'id',
  url: 'text',
  description: 'text?',
  eventTypes: ['text'],
  payload: 'text',
  excludeOwnWrites: 'flag',
  maxInFlight: 'number',
  status: 'text',
  disabledReason: 'text?',
  owner: { type: 'text', id: 'id' },
  cursorSequence: 'number',
  lagSequence: 'number',
  failingSince: 'time?',
  lastSuccessAt: 'time?',
  secretLast4: 'text',
  createdAt: 'time',
  updatedAt: 'time',
};

export const createdWebhook: ShapeOf<CreatedWebhook> = { ...webhook, secret: 'webhookSecret' };

export const webhookDelivery: ShapeOf<WebhookDelivery> = {
  id: 'id',
  eventId: 'id',
  sequence: 'number?',
  type: 'text',
  status: 'text',
  attempts: 'number',
  nextAttemptAt: 'time?',
  lastStatus: 'number?',
  lastError: 'text?',
  createdAt: 'time',
  completedAt: 'time?',
};

export const webhookReplay: ShapeOf<WebhookReplay> = { count: 'number' };

export const user: ShapeOf<User> = { userId: 'id', email: 'text', displayName: 'text?', createdAt: 'time' };

export const session: ShapeOf<Session> = {
  sessionId: 'id',
  accessToken: 'text',
  tokenType: 'text',
  expiresAt: 'time',
  refreshToken: 'text',
  refreshExpiresAt: 'time',
  totpEnrolled: 'flag',
};

export const me: ShapeOf<Me> = { userId: 'id', email: 'text?', displayName: 'text?', totpEnrolled: 'flag' };

export const totpEnrolment: ShapeOf<TotpEnrolment> = { secret: 'totpSeed', otpauthUri: 'totpUri' };

export const steppedUp: ShapeOf<SteppedUp> = { accessToken: 'text', expiresAt: 'time' };

// `change` has different fields for each kind of record, so its shape is not checked.
export const securityEvent: ShapeOf<Omit<SecurityEvent, 'change'>> = {
  id: 'id',
  type: 'text',
  occurredAt: 'time',
  resource: { type: 'text', id: 'id' },
  actor: { type: 'text', id: 'id?' },
  requestId: 'id',
};

export const auditEvent: ShapeOf<Omit<AuditEvent, 'change'>> = {
  ...securityEvent,
  sequence: 'number',
  userId: 'id?',
  credentialId: 'id?',
  previousHash: 'text',
  hash: 'text',
  changeDigest: 'text?',
  stateDigest: 'text?',
  salt: 'text?',
};

/** The head of the audit trail: the number and the hash of its newest event, and of the newest event that retention has removed. */
export const auditHead: ShapeOf<AuditHead> = {
  sequence: 'number',
  hash: 'text',
  occurredAt: 'time?',
  floorSequence: 'number',
  floorHash: 'text',
};
