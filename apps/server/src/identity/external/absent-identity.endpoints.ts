import { routes } from '@centavo/contracts';
import { type AbsentEndpoint, absentEndpoint } from '../../http/endpoint.js';

/**
 * The operations of the embedded identity provider, which are absent if an external issuer is configured. The issuer manages users,
 * passwords and one-time codes, and must not be bypassed.
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
