/**
 * The description of a record or request, and of those fields whose names are not clear enough.
 * @source docs/contract.md, sections 2, 3 and 9
 */
export interface SchemaText {
  readonly text: string;
  readonly fields?: Readonly<Record<string, string>>;
}

const secretOnce = 'The secret. Only this response contains it.';
const currencyOfAccount = 'Default: the currency of the account. Any other currency is rejected.';
const onlyCashbox =
  'Default: the only active cashbox of the account. Required if the account has several active cashboxes.';
const today = "Default: today in the tracker's time zone. At most 366 days in the future.";
const nullInPlanning = 'Null if the `mode` of the budget is `planning`.';
const budgetStatus = 'Depends on the current date in the time zone of the tracker.';
const periodEnd = 'The last day of the period, included.';

/** The descriptions, by the name of the component. A test checks that each component and field described here exists. */
export const schemaTexts: Readonly<Record<string, SchemaText>> = {
  Context: {
    text: 'The principal (a user or credential), and the tracker in which its requests act.',
    fields: {
      activeTrackerId:
        'The effective tracker: the tracker in which this request acts. In the response to PUT /context/active-tracker and ' +
        'PUT /context/default-tracker: the tracker in which a request without the header `X-Service-Tracker-Id` now acts.',
      resolvedBy:
        'How the server determined the effective tracker. `header`: from the header `X-Service-Tracker-Id`. `active`, `default`: it ' +
        'is the active or default tracker of the principal. `single`: it is the only tracker that the principal can use.',
    },
  },
  Tracker: {
    text: "A tracker, with the caller's role in it.",
    fields: {
      role: 'The role of the caller.',
      timeZone: 'An IANA name. It determines the current date in the tracker.',
      isActive: 'True if this tracker is the active tracker of the caller.',
      isDefault: 'True if this tracker is the default tracker of the caller.',
    },
  },
  Member: {
    text: 'A user who belongs to a tracker or is invited to it.',
    fields: {
      email: 'The embedded identity provider does not verify this address.',
      status: '`invited` until the user accepts. An invited user has no rights in the tracker.',
      createdAt: 'When the user joined. While the status is `invited`: when the user was invited.',
      registeredAt: 'When the user registered with this server.',
    },
  },
  Invitation: {
    text: 'An open invitation that the caller received.',
    fields: { role: 'The role that the user has after accepting.' },
  },
  Account: {
    text: 'A financial account. All its cashboxes have the currency of the account.',
    fields: { eligibleCashboxCount: 'The number of cashboxes in the account that accept movements.' },
  },
  AccountWithCashboxes: { text: 'An account and its cashboxes.' },
  Cashbox: { text: 'A part of an account.', fields: { isEligible: 'True if the cashbox and its account are active.' } },
  Balance: {
    text: 'The balance of one active cashbox.',
    fields: {
      balanceDecimal:
        'Opening balance + incomes − expenses, with transfers and without voided movements. It may be negative.',
      asOf:
        'The time at which the server read the balance. If the server read the balance from a replica: the time of the newest ' +
        'transaction on the replica.',
      asOfDate: 'The query parameter `asOf` of the request; null if the request has none.',
    },
  },
  Category: {
    text: 'A category of the system, of a tracker or of a user.',
    fields: {
      isUnknown: 'True for the category `cat_unknown`, which a movement gets if its request names no category.',
      trackerId: 'Null unless the category belongs to a tracker.',
    },
  },
  Movement: {
    text: 'An expense or income. The two movements of a transfer have the `kind` `transfer`.',
    fields: {
      amountDecimal: 'Always positive, with exactly the decimal places of its currency. `type` shows the direction.',
      categoryId: 'Null for the movements of a transfer.',
      transferGroupId: 'The id of the transfer to which this movement belongs; null if it belongs to none.',
      source: 'The user, API key or integration client that recorded the movement.',
      externalId: 'The id that the client assigned, such as the id of the movement at the bank.',
      version: 'Increases with each correction and void. The ETag depends on it.',
      voidedAt: 'When the movement was voided. No balance, budget or total includes a voided movement.',
    },
  },
  BulkResult: {
    text: 'The result of one movement in mode `independent`.',
    fields: {
      index: 'The position of the movement in the request, starting at 0.',
      movement: 'Null if the item failed.',
      error:
        'The error that POST /movements would return, or null. Paths in it are relative to the movement, not to the body.',
    },
  },
  MovementSummary: {
    text: 'The totals of one category, month, merchant or account in one currency.',
    fields: {
      key: 'A category id, a month `YYYY-MM`, a merchant name or an account id; null for movements without a merchant.',
      netDecimal: 'Incomes − expenses.',
    },
  },
  Transfer: {
    text: 'Both movements of a transfer.',
    fields: { movements: 'The outgoing movement first.', voidedAt: 'When both movements were voided.' },
  },
  Change: {
    text: 'A change of a record of the tracker.',
    fields: {
      sequence: 'The number of the change in its tracker.',
      type: 'The type of the event, such as `movement.created`.',
      change: 'The values of each changed field before and after; null if the event has no changed fields.',
      record:
        'With `include=record`: the current state of the record, which may already include later changes. Null without ' +
        '`include=record`, and for budgets, budget lines, members and webhooks.',
      hash: 'A hash that covers this change and all earlier changes of the tracker.',
    },
  },
  AuditEvent: {
    text: 'A numbered event, with all values that its hash covers.',
    fields: {
      userId: 'The user who acted, or who owns the credential that acted; null for the system.',
      credentialId: 'The credential that acted; null for a session and for the system.',
      previousHash: 'The hash of the previous event.',
      changeDigest: 'SHA-256 of the salt and the change.',
      stateDigest: 'SHA-256 of the salt and the record after the write.',
      salt: 'Null if the event was redacted, or if an earlier version of Centavo recorded it.',
    },
  },
  AuditHead: {
    text: 'The newest event of a tracker, and the newest event that the server has removed because of its age.',
    fields: {
      sequence: 'The number of the newest event; 0 if there is none.',
      floorSequence: 'The number of the newest removed event; 0 if none was removed.',
      floorHash:
        'The hash of the newest removed event. If none was removed: the genesis hash, with which the hash chain starts.',
    },
  },
  SecurityEvent: { text: 'An event that belongs to a user and to no tracker.' },
  Budget: {
    text: 'A budget in a list.',
    fields: { status: budgetStatus, periodEnd },
  },
  BudgetDetail: {
    text: 'A budget with its lines, its totals for expenses and for incomes, and its progress.',
    fields: { status: budgetStatus, periodEnd },
  },
  BudgetLine: {
    text: 'The planned amount for a category and type.',
    fields: { actualDecimal: nullInPlanning, remainingDecimal: nullInPlanning },
  },
  Webhook: {
    text: 'An endpoint to which the server delivers the events of a tracker.',
    fields: {
      eventTypes: 'Types of events, prefixes such as `movement.*`, or `*`.',
      payload: 'With `reference`, deliveries contain neither `change` nor `record`.',
      excludeOwnWrites: 'True if the server skips the events that the owner of the endpoint caused.',
      maxInFlight: 'The maximum number of concurrent requests to the endpoint.',
      disabledReason: 'Null unless the endpoint is disabled.',
      owner: 'The user or credential whose rights determine which events the endpoint receives.',
      cursorSequence: 'The number of the last event that the server has examined for the endpoint.',
      lagSequence: 'How many events of the tracker come after `cursorSequence`.',
      failingSince: 'The time of the first of at least five consecutive failures; null if the endpoint is not failing.',
      secretLast4: 'The last four characters of the secret.',
    },
  },
  CreatedWebhook: { text: 'A webhook endpoint with its secret.', fields: { secret: secretOnce } },
  WebhookDelivery: {
    text: 'The delivery of an event to an endpoint.',
    fields: {
      eventId: 'The id of the event. Every attempt sends it in the header `webhook-id`.',
      sequence: 'The number of the event; null for a test.',
      attempts: 'The number of attempts so far.',
      nextAttemptAt: 'Null unless the delivery is pending.',
      lastStatus: 'The HTTP status of the last response; null if there was none.',
      lastError: 'The reason why the last attempt failed; null after a success.',
    },
  },
  WebhookReplay: { text: 'The result of a replay.', fields: { count: 'The number of scheduled deliveries.' } },
  CreateWebhookInput: {
    text: 'A new webhook endpoint.',
    fields: {
      url: 'An `https:` URL with port 443 or a port from 1024 on, to a public address. The operator may allow other URLs.',
      fromSequence: 'The number of the first event to deliver. Without it, only new events are delivered.',
    },
  },
  UpdateWebhookInput: {
    text: 'The fields to change.',
    fields: {
      url: 'If the request has this field, the caller becomes the owner of the endpoint.',
      resumeFrom:
        'With `cursor`, the default, the endpoint continues after the event with the number `cursorSequence`. With `now`, it ' +
        'continues with new events only.',
    },
  },
  Credential: {
    text: 'An API key or an integration client, without its secret.',
    fields: { rotatedFrom: 'The `clientId` of the key that this key replaces.', lastUsedAt: 'Accurate to the minute.' },
  },
  CreatedCredential: { text: 'A new credential with its secret.', fields: { secret: secretOnce } },
  User: { text: 'A user of the embedded identity provider.' },
  Session: {
    text: 'A session with its tokens.',
    fields: { refreshToken: 'Can be used once.', expiresAt: 'When the access token expires.' },
  },
  Me: { text: 'The user of the session.' },
  TotpEnrolment: {
    text: 'The secret of an authenticator app.',
    fields: { secret: `${secretOnce} It is encoded in Base32.` },
  },
  SteppedUp: { text: 'An access token that contains the time at which the one-time code was accepted.' },
  CreateAccountInput: {
    text: 'A new account.',
    fields: {
      currencyCode: 'Default: the currency of the tracker.',
      openingBalanceDecimal: 'Not together with `cashboxes`.',
      cashboxes: 'Default: one cashbox with the name of the account.',
    },
  },
  CreateCategoryInput: {
    text: 'A new category.',
    fields: { kind: 'Default: `any`.', scope: 'Default: `tracker`.' },
  },
  CreateMovementInput: {
    text: 'An expense or income.',
    fields: {
      currencyCode: currencyOfAccount,
      cashboxId: onlyCashbox,
      categoryId: 'Default: `cat_unknown`.',
      occurredOn: today,
      externalId: 'Unique in the account among movements that are not voided.',
    },
  },
  VoidInput: { text: 'An empty object.' },
  CorrectMovementInput: {
    text: 'The fields to correct, at least one.',
    fields: {
      categoryId: '`null` changes the category to `cat_unknown`.',
      description: '`null` clears the description.',
    },
  },
  CreateTransferInput: {
    text: 'A transfer between two cashboxes of one currency.',
    fields: {
      fromCashboxId: onlyCashbox,
      toCashboxId: onlyCashbox,
      currencyCode: 'Default: the currency of both accounts.',
      occurredOn: today,
    },
  },
  CreateBudgetInput: {
    text: 'A budget for a period. The period includes its first and its last day.',
    fields: {
      currencyCode: 'Default: the currency of the tracker.',
      mode: '`planning` has planned amounts only, `tracking` also actual amounts.',
    },
  },
  AddBudgetLineInput: { text: 'A line of a budget.', fields: { type: 'Default: `expense`.' } },
  CreateApiKeyInput: {
    text: 'A new API key.',
    fields: {
      access:
        'With the mode `selected`, send `trackerIds`: trackers of which the caller is owner or admin. With the mode `all_managed`, ' +
        'omit `trackerIds`: the key may use all such trackers.',
      defaultTrackerId: 'One of the trackers that the key may use.',
      expiresAt: 'Default: in 90 days, or earlier if the server limits the validity.',
    },
  },
  CreateIntegrationClientInput: {
    text: 'A new integration client.',
    fields: {
      access: 'Default: all trackers of which the caller is a member.',
      expiresAt: 'Default: in 90 days, or earlier if the server limits the validity.',
    },
  },
  RotateApiKeyInput: {
    text: 'The properties of the new key that differ from those of the old key.',
    fields: { expiresAt: 'Default: in 90 days, or earlier if the server limits the validity.' },
  },
};
