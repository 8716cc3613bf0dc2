import type { ApiResource } from '../call-contract.js';
import type { RouteName } from '../routes.js';

/** The descriptions of the tags, one for each resource. */
export const tagTexts: Readonly<Record<ApiResource, string>> = {
  context: 'The caller, and the tracker in which a request acts; trackers, their members and invitations.',
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
 * The summary of each operation, and a description of what its schemas do not show.
 * @source docs/financial-integration-api.md; contract
 */
export const operationTexts: Readonly<Record<RouteName, readonly [summary: string, description?: string]>> = {
  getContext: [
    'Get the effective tracker and the principal',
    'The effective tracker is the tracker in which this request acts. The principal is the user or credential that sent the request.',
  ],
  setActiveTracker: [
    'Choose the active tracker',
    'If the request is authenticated with a session, the choice applies to the user. If the request is authenticated with an API ' +
      'key or an integration client, the choice applies only to this credential.',
  ],
  setDefaultTracker: [
    'Choose the default tracker',
    'A request without the header `X-Service-Tracker-Id` acts in the default tracker if no tracker is active. Exception: a request ' +
      'with an API key for several trackers must send the header.',
  ],
  listTrackers: ['List the trackers that the caller may use'],
  createTracker: [
    'Create a tracker',
    'The caller becomes the owner of the tracker. If the caller has no active tracker, the new tracker becomes the active tracker. ' +
      'If the caller has no default tracker, the new tracker becomes the default tracker.',
  ],
  updateTracker: ['Change the name or the time zone of a tracker'],
  listMembers: [
    'List the members of a tracker',
    'Any member may list the members. Users with an open invitation are listed too, with the status `invited`.',
  ],
  addMember: [
    'Invite a user to a tracker',
    'The body names the user by e-mail address. Only an owner may invite owners. The invited user has no rights before ' +
      'accepting. The invitation expires after 30 days.',
  ],
  changeMemberRole: [
    "Change a member's role",
    'Only an owner may change the role of an owner or make a member an owner. The last owner must remain an owner. For an ' +
      'invited user, the role in the invitation changes.',
  ],
  removeMember: [
    'Remove a member, or withdraw an invitation',
    'Members may remove themselves, except for the last owner. Removing another member requires the role `admin`, or the role ' +
      '`owner` if this member is an owner.',
  ],
  listInvitations: ["List the caller's open invitations"],
  acceptInvitation: ['Accept an invitation', 'The caller becomes a member of the tracker.'],
  declineInvitation: ['Decline an invitation'],
  listAccounts: ['List accounts', 'The active accounts, the oldest first.'],
  listCashboxes: ['List the cashboxes of an account'],
  listBalances: [
    'List balances',
    'One row per active cashbox of active accounts: opening balance + incomes − expenses, transfers included, voided ' +
      'movements excluded. With `asOf`, only movements up to that date count.',
  ],
  createAccount: [
    'Create an account',
    'Without `cashboxes`, the server creates one cashbox with the name of the account. `openingBalanceDecimal` and ' +
      '`cashboxes` are optional; do not send both.',
  ],
  updateAccount: ['Rename, archive or reactivate an account'],
  createCashbox: ['Add a cashbox to an account'],
  updateCashbox: ['Rename, archive or reactivate a cashbox'],
  listCategories: [
    'List categories',
    'The active categories of the system, of the tracker and of the caller. The list includes a category of another user if a ' +
      'movement or budget line of the tracker uses it.',
  ],
  getCategory: ['Get a category'],
  createCategory: [
    'Create a category',
    'An API key or integration client needs `catalog:write:user` if the field `scope` is `user`, otherwise `catalog:write:tracker`.',
  ],
  listMovements: [
    'List movements',
    'Newest first: by `occurredOn`, `createdAt`, `id`. `from` and `to` are inclusive. Send `cursor` or `offset`, not both, and ' +
      '`categoryId` or `categoryIds`, not both. `total` is null unless `includeTotal=true`. Voided movements are omitted ' +
      'unless `includeVoided=true`.',
  ],
  createMovement: [
    'Record an expense or income',
    'Defaults: the currency of the account, the only active cashbox of the account, the category `cat_unknown`, and the current date in ' +
      'the time zone of the tracker. `occurredOn` may be at most 366 days in the future.',
  ],
  createMovements: [
    'Record 1–100 expenses and incomes',
    'Mode `atomic` records all or none, under one `Idempotency-Key`. Mode `independent` records each movement under its ' +
      'own `idempotencyKey`, as POST /movements would, and returns one result for each movement. Ten movements count as one ' +
      'request for the rate limit.',
  ],
  summarizeMovements: [
    'Add up movements by category, month, merchant or account',
    'One row for each group and currency. Transfers and voided movements are omitted. `meta.summary` has the totals of all ' +
      'groups, including groups beyond `limit`.',
  ],
  getMovement: ['Get a movement'],
  correctMovement: [
    'Correct a movement',
    'In a text field, `null` clears the text. In `categoryId`, `null` selects `cat_unknown`. If a request is repeated with ' +
      'the same `Idempotency-Key`, the server returns the first response, although the ETag in `If-Match` is then out of date. ' +
      'Correcting one of the two movements of a transfer, or a voided movement, fails with `STATE_CONFLICT`.',
  ],
  voidMovement: [
    'Void a movement',
    'The balance and the totals no longer include the movement. Lists include the movement only with `includeVoided=true`. The ' +
      'movement stays readable by its id. A void cannot be undone. Voiding one of the two movements of a transfer fails with ' +
      '`STATE_CONFLICT`: void the transfer instead.',
  ],
  createTransfer: [
    'Transfer between two cashboxes',
    'The server records both movements and changes both balances, or records nothing. Both accounts must have the same currency.',
  ],
  getTransfer: ['Get a transfer with both its movements'],
  voidTransfer: [
    'Void a transfer',
    'The balances no longer include the two movements of the transfer. Lists include the movements only with ' +
      '`includeVoided=true`. The movements stay readable by their ids. A void cannot be undone.',
  ],
  listBudgets: ['List budgets'],
  getBudget: ['Get a budget with lines, summary and progress'],
  createBudget: ['Create a budget', '`periodEnd` must not be before `periodStart`.'],
  addBudgetLine: ['Add a line to a budget', 'A budget has at most one line for a category and type.'],
  listChanges: [
    'List the changes after a position',
    'Changes have consecutive numbers in the order of the writes. As soon as the server has responded to a write, its changes can ' +
      'be read here: on this page or on a later page. After you have processed a page, store its `meta.feed.cursor`, and send ' +
      'this cursor as `after` in the next request. Changes that the caller may not read are omitted. Ignore changes of an unknown ' +
      '`type`. After `STATE_CONFLICT` with `restart: true` in `details`, request `from=now` and store the cursor of the response. ' +
      'Then read all resources, and continue from the stored cursor.',
  ],
  listWebhooks: ['List the webhook endpoints of a tracker', 'The newest first.'],
  getWebhook: ['Get a webhook endpoint'],
  createWebhook: [
    'Create a webhook endpoint',
    'Only this response contains the secret that signs the deliveries. Defaults: all types of events, the payload `reference`, ' +
      'four concurrent requests, only new events. By default, an endpoint that an API key or an integration client created does ' +
      'not receive events that this credential caused.',
  ],
  updateWebhook: [
    'Change, pause or resume a webhook endpoint',
    'If the body has `url`, the caller becomes the owner of the endpoint. With a user session, such a request requires a recent ' +
      'one-time code. `resumeFrom` is allowed only together with `status: active`. With `resumeFrom: now`, the server drops the ' +
      'pending deliveries, and skips the events that were recorded since the endpoint stopped.',
  ],
  deleteWebhook: [
    'Delete a webhook endpoint',
    'Drops the pending deliveries of the endpoint. A repeated request returns 204 too.',
  ],
  rotateWebhookSecret: [
    'Rotate the secret of a webhook endpoint',
    'Only this response contains the new secret. For `overlapHours` hours (24 by default), the server signs each delivery with ' +
      'both the old and the new secret.',
  ],
  testWebhook: [
    'Send a test delivery',
    'The server sends the test delivery within a second. Its event has the type `webhook.test`.',
  ],
  listWebhookDeliveries: ['List the deliveries of a webhook endpoint', 'The newest first.'],
  retryWebhookDelivery: [
    'Retry a delivery',
    'The server sends the delivery now. If this attempt fails, the schedule of retries starts again from its beginning.',
  ],
  replayWebhook: [
    'Deliver events again',
    'Delivers the events from `fromSequence` to `toSequence` again, each with the same `webhook-id` as before. Fails if there are ' +
      'more than 10,000 events to deliver. By default, `toSequence` is the number of the newest event. With `onlyFailed: true`, ' +
      'the server delivers only those events whose delivery failed and is still stored.',
  ],
  listAuditEvents: [
    'List the audit trail',
    'Ordered by number, newest first unless `order=asc`. `actorId` is the id of a user or of a credential. `type` is a type of ' +
      'event or a prefix such as `movement.*`. `from` and `to` are days in the time zone of the tracker. Without `resourceId`, ' +
      'the server examines at most 10,000 events for a page. A page may therefore be empty although more events follow ' +
      '(`hasMore: true`).',
  ],
  getAuditHead: [
    'Get the newest event of the audit trail',
    'Store `sequence` and `hash`. Later, verify the hash chain of the audit trail. If the chain is valid, and the event with the ' +
      'stored number has the stored hash, then no event up to this number has changed.',
  ],
  listSecurityEvents: [
    "List the user's events that belong to no tracker",
    "The newest first: creations of trackers and of the user's categories, changes to credentials, and choices of the active or " +
      'default tracker. Logins are not included.',
  ],
  listApiKeys: ['List API keys', 'The keys of the caller, newest first, including expired and revoked keys.'],
  createApiKey: [
    'Create an API key',
    'Only this response contains the secret. In `access`, `trackerIds` is required with the mode `selected`, and forbidden with ' +
      'the mode `all_managed`. Without `expiresAt`, the key is valid for 90 days, or less if the server limits the validity.',
  ],
  rotateApiKey: [
    'Rotate an API key',
    'Creates a new key with the same scopes, access and default tracker. The old key stays active until it expires or is revoked.',
  ],
  revokeApiKey: [
    'Revoke an API key',
    'After this response, the server rejects every request with the key. A repeated request returns 204 too.',
  ],
  listIntegrationClients: ['List integration clients', 'The clients of the caller, newest first.'],
  createIntegrationClient: [
    'Create an integration client',
    'Without `access`, the client may use all trackers of which the caller is a member. The operator of the server may ' +
      'require a recent one-time code.',
  ],
  revokeIntegrationClient: ['Revoke an integration client', 'A repeated request returns 204 too.'],
  createUser: [
    'Register a user',
    'Fails with `STATE_CONFLICT` if registration is closed, or if another user has the same e-mail address.',
  ],
  createSession: ['Log in'],
  refreshSession: ['Refresh a session', 'A refresh token works once; using it again ends the session.'],
  endSession: ['Log out', 'After this response, the server rejects the tokens of the session.'],
  getMe: ['Get the user of the session'],
  enrolTotp: [
    'Enrol an authenticator app',
    'The first app requires a session in which the user entered the password recently. Replacing the ' +
      'app requires a recent one-time code.',
  ],
  confirmTotp: [
    'Confirm the authenticator app',
    'The new access token contains the time at which the code was accepted. All other sessions of the user end.',
  ],
  verifyTotp: [
    'Verify a one-time code',
    'The new access token contains the time at which the code was accepted. Each code works once.',
  ],
};
