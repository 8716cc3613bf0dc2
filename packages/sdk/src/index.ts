/** The main entry point of the package. */
export type {
  Account,
  AccountWithCashboxes,
  AddBudgetLineInput,
  AddMemberInput,
  AuditEvent,
  AuditHead,
  BudgetFiltersInput,
  Cashbox,
  Category,
  ChangeMemberRoleInput,
  Context,
  CorrectMovementInput,
  CreateAccountInput,
  CreateApiKeyInput,
  CreateBudgetInput,
  CreateCashboxInput,
  CreateCategoryInput,
  CreatedCredential,
  CreatedWebhook,
  CreateIntegrationClientInput,
  CreateMovementInput,
  CreateSessionInput,
  CreateTrackerInput,
  CreateTransferInput,
  CreateUserInput,
  CreateWebhookInput,
  Credential,
  DryRunEffects,
  Invitation,
  Me,
  Member,
  Pagination,
  Preview,
  RefreshSessionInput,
  ReplayWebhookInput,
  RotateApiKeyInput,
  RotateWebhookSecretInput,
  SecurityEvent,
  Session,
  SteppedUp,
  SuccessMeta,
  TotpCodeInput,
  TotpEnrolment,
  Tracker,
  UpdateAccountInput,
  UpdateCashboxInput,
  UpdateTrackerInput,
  UpdateWebhookInput,
  User,
  Webhook,
  WebhookDelivery,
  WebhookReplay,
} from '@centavo/contracts';
export type {
  ChainedEvent,
  ChainFault,
  ChainPosition,
  ErrorCode,
  EventResourceType,
  EventType,
  HttpMethod,
  Issue,
  IssueCode,
  Role,
  Scope,
  StateConflictReason,
} from '@centavo/contracts/calls';
export {
  additionalScopes,
  allScopes,
  currencyCodes,
  currencyExponent,
  encodeEventCursor,
  errorCodes,
  isWellFormedSecret,
  roles,
  scopes,
  secretPrefix,
  toMinorUnits,
} from '@centavo/contracts/calls';
export { ApiPromise } from './answers/api-promise.js';
export type { ApiResponse } from './answers/api-response.js';
export { ListPromise } from './answers/list-promise.js';
export { Page } from './answers/page.js';
export { AuditChainError, isAuditChainError } from './audit/audit-chain-error.js';
export { matchesStateDigest, verifyAuditChain } from './audit/verify-audit-chain.js';
export type { CallOptions, PreviewOptions } from './call-options.js';
export type { CheckData, Fetch, FinancialClientOptions, TokenSource } from './client-options.js';
export type { AskForPatch } from './conflicts/correct-with-refetch.js';
export * from './errors/capacity-errors.js';
export * from './errors/conflict-errors.js';
export type { ApiErrorCode } from './errors/financial-api-error.js';
export { FinancialApiError, isFinancialApiError } from './errors/financial-api-error.js';
export { FinancialError, isFinancialError } from './errors/financial-error.js';
export * from './errors/refusal-errors.js';
export {
  ConnectionError,
  isConnectionError,
  isMalformedAnswerError,
  isOutcomeUnknownError,
  isRedirectRefusedError,
  isTimeoutError,
  MalformedAnswerError,
  OutcomeUnknownError,
  RedirectRefusedError,
  TimeoutError,
} from './errors/transport-errors.js';
export * from './errors/usage-errors.js';
export { FinancialClient } from './financial-client.js';
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from './hooks.js';
export type { DecimalString, WithMoney } from './money/decimal-string.js';
export { fromMinorUnits } from './money/from-minor-units.js';
export type {
  Balance,
  Budget,
  BudgetDetail,
  BudgetLine,
  BulkResult,
  Change,
  ChangedRecord,
  Movement,
  MovementSummary,
  Transfer,
} from './money/record-types.js';
export type { RawRequest } from './raw-request.js';
export type { AccountsResource } from './resources/accounts.js';
export type { AuditEventFilters, AuditEventsResource, SecurityEventsResource } from './resources/audit-events.js';
export type { BudgetsResource } from './resources/budgets.js';
export type { CategoriesResource } from './resources/categories.js';
export type {
  ChangesQuery,
  ChangesResource,
  FollowedChange,
  FollowFailure,
  FollowOptions,
} from './resources/changes.js';
export type { ContextResource } from './resources/context.js';
export type { AtomicOptions, IndependentOptions, KeyedMovementInput } from './resources/create-many.js';
export type { CredentialsResource } from './resources/credentials.js';
export type { IdentityResource } from './resources/identity.js';
export type { InvitationsResource } from './resources/invitations.js';
export type {
  CorrectOptions,
  CorrectWithOptions,
  MovementFilters,
  MovementsResource,
  SummaryFilters,
} from './resources/movements.js';
export type { TrackersResource } from './resources/trackers.js';
export type { TransfersResource } from './resources/transfers.js';
export type { DeliveryFilters, WebhooksResource } from './resources/webhooks.js';
export type { Query } from './transport/call-request.js';
