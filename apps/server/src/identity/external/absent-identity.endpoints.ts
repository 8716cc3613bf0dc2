import { routes } from '@centavo/contracts';
import { type AbsentEndpoint, absentEndpoint } from '../../http/endpoint.js';

/**
 * The calls of the embedded provider where an external issuer is set: they are not there. Users, passwords and codes are
 * the issuer's, and a second way in would be one that it does not know of.
 */
export const absentIdentityEndpoints: readonly AbsentEndpoint[] = [
  absentEndpoint(routes.createUser),
  absentEndpoint(routes.createSession),
  absentEndpoint(routes.refreshSession),
  absentEndpoint(routes.endSession),
  absentEndpoint(routes.getMe),
  absentEndpoint(routes.enrolTotp),
  absentEndpoint(routes.confirmTotp),
  absentEndpoint(routes.verifyTotp),
];
