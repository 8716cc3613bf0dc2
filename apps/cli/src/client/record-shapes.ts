import type {
  Account,
  AccountWithCashboxes,
  Balance,
  Budget,
  BudgetDetail,
  BudgetLine,
  Cashbox,
  Category,
  CheckData,
  Context,
  CreatedCredential,
  Credential,
  Invitation,
  Me,
  Member,
  Movement,
  Session,
  SteppedUp,
  TotpEnrolment,
  Tracker,
  Transfer,
  User,
} from '@centavo/sdk';
import { findFault, type Shape, type ShapeOf } from './shape.js';

const tracker: ShapeOf<Tracker> = {
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

const person: ShapeOf<Invitation['invitedBy']> = { userId: 'id', email: 'text?', displayName: 'text?' };

const member: ShapeOf<Member> = {
  ...person,
  role: 'text',
  status: 'text',
  createdAt: 'time',
  registeredAt: 'time',
};

const invitation: ShapeOf<Invitation> = {
  trackerId: 'id',
  trackerName: 'text',
  role: 'text',
  invitedBy: person,
  createdAt: 'time',
  expiresAt: 'time',
};

const context: ShapeOf<Context> = {
  activeTrackerId: 'id?',
  defaultTrackerId: 'id?',
  resolvedBy: 'text?',
  principal: { type: 'text', id: 'id', name: 'text', kind: 'text?', scopes: ['text'], expiresAt: 'time?' },
};

const category: ShapeOf<Category> = {
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

const account: ShapeOf<Account> = {
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

const cashbox: ShapeOf<Cashbox> = {
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

const accountWithCashboxes: ShapeOf<AccountWithCashboxes> = { ...account, cashboxes: [cashbox] };

const balance: ShapeOf<Balance> = {
  accountId: 'id',
  accountName: 'text',
  cashboxId: 'id',
  cashboxName: 'text',
  currencyCode: 'currency',
  balanceDecimal: 'amount',
  asOf: 'time',
};

const movement: ShapeOf<Movement> = {
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
  source: { type: 'text', id: 'id' },
  version: 'number',
  createdAt: 'time',
  updatedAt: 'time',
};

const transferSide: ShapeOf<Transfer['from']> = { accountId: 'id', cashboxId: 'id', movementId: 'id' };

const transfer: ShapeOf<Transfer> = {
  groupId: 'id',
  trackerId: 'id',
  amountDecimal: 'amount',
  currencyCode: 'currency',
  occurredOn: 'date',
  description: 'text?',
  from: transferSide,
  to: transferSide,
  movements: [movement],
  createdAt: 'time',
};

const budget: ShapeOf<Budget> = {
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

const budgetLine: ShapeOf<BudgetLine> = {
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

const budgetDetail: ShapeOf<BudgetDetail> = {
  ...budget,
  lines: [budgetLine],
  summary: { expense: budgetTotals, income: budgetTotals },
  progress: { daysTotal: 'number', daysElapsed: 'number', elapsedRatio: 'amount', expenseRatio: 'amount?' },
};

const credential: ShapeOf<Credential> = {
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

const createdCredential: ShapeOf<CreatedCredential> = { ...credential, secret: 'secret' };

const user: ShapeOf<User> = { userId: 'id', email: 'text', displayName: 'text?', createdAt: 'time' };

const session: ShapeOf<Session> = {
  sessionId: 'id',
  accessToken: 'text',
  tokenType: 'text',
  expiresAt: 'time',
  refreshToken: 'text',
  refreshExpiresAt: 'time',
  totpEnrolled: 'flag',
};

const me: ShapeOf<Me> = { userId: 'id', email: 'text?', displayName: 'text?', totpEnrolled: 'flag' };

const totpEnrolment: ShapeOf<TotpEnrolment> = { secret: 'totpSeed', otpauthUri: 'totpUri' };

const steppedUp: ShapeOf<SteppedUp> = { accessToken: 'text', expiresAt: 'time' };

/** The shape of each call's response. */
const shapesByCall: Readonly<Record<string, Shape>> = {
  getContext: context,
  setActiveTracker: context,
  setDefaultTracker: context,
  listTrackers: [tracker],
  createTracker: tracker,
  updateTracker: tracker,
  listMembers: [member],
  addMember: member,
  changeMemberRole: member,
  removeMember: 'nothing',
  listInvitations: [invitation],
  acceptInvitation: member,
  declineInvitation: 'nothing',
  listAccounts: [account],
  createAccount: accountWithCashboxes,
  updateAccount: account,
  listCashboxes: [cashbox],
  createCashbox: cashbox,
  updateCashbox: cashbox,
  listBalances: [balance],
  listCategories: [category],
  getCategory: category,
  createCategory: category,
  listMovements: [movement],
  createMovement: movement,
  getMovement: movement,
  correctMovement: movement,
  createTransfer: transfer,
  getTransfer: transfer,
  listBudgets: [budget],
  getBudget: budgetDetail,
  createBudget: budgetDetail,
  addBudgetLine: budgetLine,
  listApiKeys: [credential],
  createApiKey: createdCredential,
  rotateApiKey: createdCredential,
  revokeApiKey: 'nothing',
  listIntegrationClients: [credential],
  createIntegrationClient: createdCredential,
  revokeIntegrationClient: 'nothing',
  createUser: user,
  createSession: session,
  refreshSession: session,
  endSession: 'nothing',
  getMe: me,
  enrolTotp: totpEnrolment,
  confirmTotp: steppedUp,
  verifyTotp: steppedUp,
};

/** Returns the first fault in the data of a response, or undefined; calls without a shape are not checked. */
export const checkData: CheckData = ({ call, data }) => {
  const shape = Object.hasOwn(shapesByCall, call) ? shapesByCall[call] : undefined;
  return shape === undefined ? undefined : findFault(shape, data);
};
