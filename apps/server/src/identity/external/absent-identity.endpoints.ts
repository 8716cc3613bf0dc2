import { routes } from '@centavo/contracts';
import { type AbsentEndpoint, absentEndpoint } from '../../http/endpoint.js';

/**
 * The operations of the embedded provider, which are absent with an external issuer. The issuer manages users, passwords and codes, and
 * must not be bypassed.
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
