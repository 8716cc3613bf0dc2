/**
 * The entry point `@centavo/contracts/calls`, which does not load zod. The main entry point of the package adds schemas and record
 * types.
 */
import { accountsCalls } from './accounts/accounts.calls.js';
import { budgetsCalls } from './budgets/budgets.calls.js';
import { categoriesCalls } from './categories/categories.calls.js';
import { contextCalls } from './context/context.calls.js';
import { credentialsCalls } from './credentials/credentials.calls.js';
import { eventsCalls } from './events/events.calls.js';
import { identityCalls } from './identity/identity.calls.js';
import { movementsCalls } from './movements/movements.calls.js';
import { transfersCalls } from './transfers/transfers.calls.js';
import { webhooksCalls } from './webhooks/webhooks.calls.js';

export type { ApiResource, CallBase, CallContract, HttpMethod, PathParameter } from './call-contract.js';
export { errorCodesOf, pathOf, returnsReadAfter, takesReadAfter } from './call-contract.js';
export type { ErrorCode, Issue, IssueCode, StateConflictReason } from './error-codes.js';
export { errorCodes, issueCodes, stateConflictReasons } from './error-codes.js';
export * from './events/chain.js';
export * from './events/event-cursor.js';
export * from './events/event-types.js';
export {
  apiVersion,
  bodyBytesMax,
  headerNames,
  idempotencyKeyLengthMax,
  idempotencyKeyPattern,
  logPositionPattern,
} from './headers.js';
export type { Role, Scope } from './scopes.js';
export { additionalScopes, allScopes, roleOfScope, roleReaches, roles, scopes } from './scopes.js';
export * from './values/amount-decimal.js';
export * from './values/calendar-date.js';
export { canonicalJson } from './values/canonical-json.js';
export { currencyCodes, currencyExponent, currencyExponentMax } from './values/currency.js';
export { withoutFormatCharacters } from './values/format-characters.js';
export { isCategoryId, isUuid } from './values/ids.js';
export * from './values/limits.js';
export { formatSecret, isWellFormedSecret, secretPrefix } from './values/secret-format.js';
export * from './webhooks/event-patterns.js';
export * from './webhooks/webhook-body.js';
export * from './webhooks/webhook-signature.js';

export const calls = {
  ...contextCalls,
  ...accountsCalls,
  ...categoriesCalls,
  ...movementsCalls,
  ...transfersCalls,
  ...budgetsCalls,
  ...eventsCalls,
  ...webhooksCalls,
  ...credentialsCalls,
  ...identityCalls,
} as const;
