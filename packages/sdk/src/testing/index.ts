/**
 * For the tests of programs that use this SDK: records to test with, answers as the server writes them, and a small fake of
 * the server behind msw, which is a peer dependency of this entry alone. It is published with the SDK and kept to its
 * contracts: the fake's answers are tested against the server's schemas.
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
