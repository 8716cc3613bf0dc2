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
    'By e-mail address. Only an owner may invite owners. The invited user has no rights before accepting. The invitation ' +
      'expires after 30 days.',
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
  listAccounts: ['List accounts', 'With archived accounts.'],
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
    'Categories of the system, of the tracker and of the caller, and categories of other users that this tracker uses.',
  ],
  getCategory: ['Get a category'],
  createCategory: [
    'Create a category',
    'The required scope follows from `scope` in the body: `catalog:write:tracker` or `catalog:write:user`.',
  ],
  listMovements: [
    'List movements',
    'Newest first: by `occurredOn`, `createdAt`, `id`. `from` and `to` are inclusive. `cursor` and `offset` exclude each ' +
      'other, and so do `categoryId` and `categoryIds`. `total` is null unless `includeTotal=true`. Voided movements ' +
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
    'Removes the movement from the balance, lists and totals. It stays readable by its id. A void cannot be undone. A leg of a ' +
      'transfer is refused with `STATE_CONFLICT`: void the transfer instead.',
  ],
  createTransfer: [
    'Transfer between two cashboxes',
    'Both movements and both balances change at once, or nothing does. Both accounts have the same currency.',
  ],
  getTransfer: ['Get a transfer with both its movements'],
  voidTransfer: [
    'Void a transfer',
    'Removes both movements from the balances and lists. They stay readable by their ids. A void cannot be undone.',
  ],
  listBudgets: ['List budgets'],
  getBudget: ['Get a budget with lines, summary and progress'],
  createBudget: ['Create a budget', '`periodEnd` is not before `periodStart`.'],
  addBudgetLine: ['Add a line to a budget', 'A budget has at most one line for a category and type.'],
  listChanges: [
    'List the changes after a position',
    'Changes have consecutive numbers in the order of the writes. Every write that was answered before is on this page or on a ' +
      'later one. Store `meta.feed.cursor` after you have processed the page, and send it as `after`. Changes that the caller ' +
      'may not read are left out. Ignore unknown types. After `STATE_CONFLICT` with `restart: true`, request `from=now`, read all ' +
      'resources, and continue from that cursor.',
  ],
  listWebhooks: ['List the endpoints of a tracker', 'The newest first.'],
  getWebhook: ['Get an endpoint'],
  createWebhook: [
    'Create an endpoint',
    'Only this answer contains the secret that signs the deliveries. Defaults: all types of events, `payload` `reference`, ' +
      'four concurrent requests, only new events. An endpoint that an API key creates leaves out the writes of that key by default.',
  ],
  updateWebhook: [
    'Change, pause or resume an endpoint',
    'A request with `url` makes the caller the owner. `resumeFrom` is allowed with `status` `active` only: `now` drops the ' +
      'pending deliveries, and skips the events since the endpoint stopped.',
  ],
  deleteWebhook: ['Delete an endpoint', 'Drops its pending deliveries. A repeated request returns 204 too.'],
  rotateWebhookSecret: [
    'Rotate the secret of an endpoint',
    'Only this answer contains the new secret. Both secrets sign the deliveries for `overlapHours`, 24 by default.',
  ],
  testWebhook: ['Send a test delivery', 'It has the type `webhook.test`, and is sent within a second.'],
  listWebhookDeliveries: ['List the deliveries of an endpoint', 'The newest first.'],
  retryWebhookDelivery: ['Retry a delivery', 'It is sent now, and the schedule of its attempts starts again.'],
  replayWebhook: [
    'Deliver events again',
    'At most 10,000 events, with the same `webhook-id` as before. By default, `toSequence` is the number of the newest event. ' +
      '`onlyFailed` selects events whose stored delivery failed.',
  ],
  listAuditEvents: [
    'List the audit trail',
    'Ordered by number, newest first unless `order=asc`. `actorId` is the id of a user or of a credential. `type` may end with ' +
      '`.*`. `from` and `to` are days in the time zone of the tracker. A page examines at most 10,000 events unless ' +
      '`resourceId` is given, so it may be empty with `hasMore: true`.',
  ],
  getAuditHead: [
    'Get the newest event of the audit trail',
    'Store `sequence` and `hash`. If a later chain contains them, no event up to that number was changed.',
  ],
  listSecurityEvents: [
    "List the user's events outside trackers",
    'Events of credentials, new trackers, categories of the user, and chosen trackers, newest first. Log-ins are not included.',
  ],
  listApiKeys: ['List API keys', 'The keys of the caller, newest first, including expired and revoked keys.'],
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
