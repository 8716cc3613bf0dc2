/**
 * The entry point `@centavo/sdk/testing`, for tests of programs that use this SDK: builders of records and responses, and a fake
 * server for msw. Only this entry point needs msw, a peer dependency. The SDK's own tests check the responses of the fake
 * server against the schemas of the real server.
 */
export { anId, sharedClientId, sharedMoment, sharedTrackerId, sharedUserId } from './an-id.js';
export type { ErrorFields, SuccessFields } from './answers.js';
export { errorAnswer, successAnswer } from './answers.js';
export {
  aBalance,
  aCashbox,
  aCategory,
  aContext,
  aMember,
  anAccount,
  anInvitation,
  aTracker,
  theUnknownCategory,
} from './book-records.js';
export { aCreatedCredential, aCredential, aSecret, aSession } from './credential-records.js';
export type { FakeBooksSeed } from './fake-books.js';
export type { FakeCentavoOptions } from './fake-centavo.js';
export { FakeCentavo } from './fake-centavo.js';
export type { TransferFields } from './money-records.js';
export { aBudget, aBudgetDetail, aBudgetLine, aMovement, aTransfer } from './money-records.js';
export type { CallName } from './on-call.js';
export { onCall } from './on-call.js';
export type { SignWebhookOptions, WebhookEventFields } from './sign-webhook.js';
export { aWebhookEvent, signWebhook } from './sign-webhook.js';
export { aCreatedWebhook, aWebhook, aWebhookDelivery } from './webhook-records.js';
