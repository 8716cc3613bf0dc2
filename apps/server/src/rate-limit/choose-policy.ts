import type { CallContract } from '@centavo/contracts';
import type { PolicyName } from './rate-limit.js';

/**
 * The policy that a call of an identified principal falls under: making, rotating and revoking credentials is `admin`,
 * other GETs are `reads`, all else is `writes`. Pure. Source: contract, section 10a
 */
export function choosePolicy({ noun, method }: CallContract): Exclude<PolicyName, 'auth_failures'> {
  if (method === 'GET') return 'reads';
  return noun === 'credentials' ? 'admin' : 'writes';
}
