import type { ApiResource } from '../call-contract.js';
import type { RouteName } from '../routes.js';

/** The descriptions of the tags, one for each resource. */
export const tagTexts: Readonly<Record<ApiResource, string>> = {
  context: 'The caller and the effective tracker; trackers, their members and invitations.',
  accounts: 'Accounts, the cashboxes in them, and balances.',
  categories: 'Categories of the system, of a tracker and of a user.',
  movements: 'Expenses and incomes.',
  transfers: 'Transfers between cashboxes: one operation, two movements.',
  budgets: 'Budgets, their lines and their progress.',
  webhooks: 'Endpoints to which the server delivers the events of a tracker, and the deliveries.',
  events: 'The changes of a tracker in order, its audit trail, and the events of a user.',
  credentials: 'API keys and integration clients.',
  identity: 'The embedded identity provider: users, sessions and one-time codes.',
};

/**
 * The summary of each operation, and a description of properties that its schemas do not show.
 * @source specification; contract
 */
export const operationTexts: Readonly<Record<RouteName, readonly [summary: string, description?: string]>> = {
  getContext: ['Get the effective tracker and the principal'],
  setActiveTracker: [
    'Choose the active tracker',
    'A session stores it for the user; a secret stores it for its credential.',
  ],
  setDefaultTracker: ['Choose the default tracker', 'Requests use it if no tracker is active.'],
  listTrackers: ['List the trackers that the caller may use'],
  createTracker: [
    'Create a tracker',
    "The caller becomes its owner. A user's first tracker becomes its default and active one.",
  ],
  updateTracker: ['Change the name or the time zone of a tracker'],
  listMembers: [
    'List the members of a tracker',
    'Any member may list them. Users with an open invitation have the status `invited`.',
  ],
  addMember: [
    'Invite a user to a tracker',
    'By e-mail address. Only an owner invites owners. The invitation gives no right before the user accepts it, and ends ' +
      'after 30 days.',
  ],
  changeMemberRole: [
    "Change a member's role",
    'Only an owner may change owners, and the last owner cannot lose the role. For an invited user, the role of the invitation changes.',
  ],
  removeMember: [
    'Remove a member, or withdraw an invitation',
    'Members may remove themselves, except for the last owner. The removal of others requires the role `admin`.',
  ],
  listInvitations: ["List the caller's open invitations"],
  acceptInvitation: ['Accept an invitation', 'The caller becomes a member of the tracker.'],
  declineInvitation: ['Decline an invitation'],
  listAccounts: ['List accounts', 'Archived accounts included.'],
  listCashboxes: ['List the cashboxes of an account'],
  listBalances: [
    'List balances',
    'One row per active cashbox of active accounts: opening balance + incomes − expenses, transfers included, voided ' +
      'movements excluded. With `asOf` only movements up to that date count.',
  ],
  createAccount: [
    'Create an account',
    'Without `cashboxes` the server creates one with the name of the account. `openingBalanceDecimal` and `cashboxes` exclude each other.',
  ],
  updateAccount: ['Rename or archive an account'],
  createCashbox: ['Add a cashbox to an account'],
  updateCashbox: ['Rename or archive a cashbox'],
  listCategories: [
    'List categories',
    'Categories of the system, the tracker and the caller, and those of other users that this tracker uses.',
  ],
  getCategory: ['Get a category'],
  createCategory: [
    'Create a category',
    'The required scope follows from `scope` in the body: `catalog:write:tracker` or `catalog:write:user`.',
  ],
  listMovements: [
    'List movements',
    'Newest first: by `occurredOn`, `createdAt`, `id`. `from` and `to` are inclusive. `cursor` excludes `offset`, ' +
      '`categoryId` excludes `categoryIds`. `total` is null unless `includeTotal=true`. Voided movements ' +
      'are left out unless `includeVoided=true`.',
  ],
  createMovement: [
    'Record an expense or income',
    'Defaults: the currency and the only eligible cashbox of the account, the unknown category, and today in the tracker. At most 366 ' +
      'days ahead.',
  ],
  createMovements: [
    'Record 1–100 expenses and incomes',
    'Mode `atomic` records all or none, under one `Idempotency-Key`. Mode `independent` records each movement under its ' +
      'own `idempotencyKey`, as POST /movements would, and answers with one result for each. Ten movements count as one ' +
      'request of the rate limit.',
  ],
  summarizeMovements: [
    'Add up movements by category, month, merchant or account',
    'One row for each key and currency. Transfers and voided movements are left out. `meta.summary` has the totals of all ' +
      'groups, also of those beyond `limit`.',
  ],
  getMovement: ['Get a movement'],
  correctMovement: [
    'Correct a movement',
    '`null` clears a text, and sets the category to the unknown one. The server looks for a replay before it checks ' +
      '`If-Match`. A leg of a transfer and a voided movement are refused with `STATE_CONFLICT`.',
  ],
  voidMovement: [
    'Void a movement',
    'Takes the movement out of the balance, lists and totals, and keeps it readable. A void cannot be undone. A leg of a ' +
      'transfer is refused with `STATE_CONFLICT`: void the transfer.',
  ],
  createTransfer: [
    'Transfer between two cashboxes',
    'Both movements and both balances change at once, or nothing does. Both accounts have the same currency.',
  ],
  getTransfer: ['Get a transfer with both its movements'],
  voidTransfer: [
    'Void a transfer',
    'Takes both movements out of the balances and lists, and keeps them readable. A void cannot be undone.',
  ],
  listBudgets: ['List budgets'],
  getBudget: ['Get a budget with lines, summary and progress'],
  createBudget: ['Create a budget', '`periodEnd` is not before `periodStart`.'],
  addBudgetLine: ['Add a line to a budget', 'A budget has at most one line for a category and type.'],
  listChanges: [
    'List the changes after a position',
    'Changes have numbers without gaps, in the order of the writes. Every write that was answered earlier is on this page or a ' +
      'later one. Store `meta.feed.cursor` after you have processed the page, and send it as `after`. Entries that the caller ' +
      'may not read are omitted. Ignore unknown types. After `STATE_CONFLICT` with `restart: true`, request `from=now`, read all ' +
      'resources, and continue from that cursor.',
  ],
  listWebhooks: ['List the endpoints of a tracker', 'The newest first.'],
  getWebhook: ['Get an endpoint'],
  createWebhook: [
    'Create an endpoint',
    'The secret that signs its deliveries is in this answer and nowhere else. Defaults: all types of events, `payload` ' +
      '`reference`, four requests at the same time, only new events. A secret leaves out its own writes by default.',
  ],
  updateWebhook: [
    'Change, pause or resume an endpoint',
    'Sending `url` makes the caller the owner. `resumeFrom` belongs to `status` `active`: `now` drops the pending deliveries ' +
      'and skips the events that were missed.',
  ],
  deleteWebhook: ['Delete an endpoint', 'Its pending deliveries are dropped. A repeated call is answered 204 too.'],
  rotateWebhookSecret: [
    'Rotate the secret of an endpoint',
    'The new secret is in this answer and nowhere else. Both secrets sign for `overlapHours`, 24 by default.',
  ],
  testWebhook: ['Send a test', 'A delivery of type `webhook.test`, sent within a second.'],
  listWebhookDeliveries: ['List the deliveries of an endpoint', 'The newest first.'],
  retryWebhookDelivery: ['Retry a delivery', 'It is due now, with a new schedule.'],
  replayWebhook: [
    'Deliver events again',
    'At most 10,000 events, with the ids that they had. `toSequence` is the newest number by default. `onlyFailed` chooses the ' +
      'stored deliveries that failed.',
  ],
  listAuditEvents: [
    'List the audit trail',
    'By number, newest first unless `order=asc`. `actorId` is a user or a credential, `type` may end in `.*`, and `from` and ' +
      '`to` are days in the time zone of the tracker. A page examines at most 10,000 numbers unless `resourceId` is given, so ' +
      'it may be empty with `hasMore: true`.',
  ],
  getAuditHead: [
    'Get the newest event of the audit trail',
    'Store `sequence` and `hash`: as long as a later chain contains them, no event before them was changed.',
  ],
  listSecurityEvents: [
    "List the user's events that belong to no tracker",
    'About credentials, new trackers, categories of the user, and chosen trackers, newest first. Log-ins are not included.',
  ],
  listApiKeys: ['List API keys', 'The keys of the caller, newest first, with expired and revoked ones.'],
  createApiKey: [
    'Create an API key',
    'Only this answer contains the secret. `trackerIds` is required with mode `selected` and forbidden ' +
      'otherwise. Without `expiresAt` the key is valid for 90 days.',
  ],
  rotateApiKey: [
    'Rotate an API key',
    'A new key with the same scopes, access and default tracker; the old one stays active until it is revoked.',
  ],
  revokeApiKey: [
    'Revoke an API key',
    'The server accepts no request with the key after this answer. A repeated request returns 204 too.',
  ],
  listIntegrationClients: ['List integration clients', 'The clients of the caller, newest first.'],
  createIntegrationClient: [
    'Create an integration client',
    'Without `access` it may use all trackers of which its owner is a member. The operator may require a one-time code.',
  ],
  revokeIntegrationClient: ['Revoke an integration client', 'A repeated request returns 204 too.'],
  createUser: ['Register a user', 'Refused with `STATE_CONFLICT` if registration is closed.'],
  createSession: ['Log in'],
  refreshSession: ['Refresh a session', 'A refresh token works once; using it again ends the session.'],
  endSession: ['Log out', 'From then on the server refuses tokens of the session.'],
  getMe: ['Get the user of the session'],
  enrolTotp: [
    'Enrol an authenticator app',
    'The first one needs a session whose password was entered recently, another one a recent one-time code.',
  ],
  confirmTotp: ['Confirm the authenticator app', 'The new access token contains the time of the code.'],
  verifyTotp: ['Verify a one-time code', 'The new access token contains the time of the code. Each code works once.'],
};
