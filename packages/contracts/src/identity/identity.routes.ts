import { route } from '../route-contract.js';
import { identityCalls } from './identity.calls.js';
import { meRecord, sessionRecord, steppedUpRecord, totpEnrolmentRecord, userRecord } from './identity-records.js';
import { createSessionBody, createUserBody, refreshSessionBody, totpCodeBody } from './identity-requests.js';

export const identityRoutes = {
  createUser: route(identityCalls.createUser, { body: createUserBody, data: userRecord }),
  createSession: route(identityCalls.createSession, { body: createSessionBody, data: sessionRecord }),
  refreshSession: route(identityCalls.refreshSession, { body: refreshSessionBody, data: sessionRecord }),
  endSession: route(identityCalls.endSession, {}),
  getMe: route(identityCalls.getMe, { data: meRecord }),
  enrolTotp: route(identityCalls.enrolTotp, { data: totpEnrolmentRecord }),
  confirmTotp: route(identityCalls.confirmTotp, { body: totpCodeBody, data: steppedUpRecord }),
  verifyTotp: route(identityCalls.verifyTotp, { body: totpCodeBody, data: steppedUpRecord }),
} as const;
