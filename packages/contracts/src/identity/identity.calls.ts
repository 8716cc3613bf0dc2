import { call } from '../call-contract.js';

const identity = { resource: 'identity', base: '/v1/identity', tracker: 'none' } as const;

/**
 * The operations of the embedded identity provider.
 * @source docs/contract.md, section 8
 */
export const identityCalls = {
  createUser: call({
    ...identity,
    name: 'createUser',
    method: 'POST',
    path: '/users',
    caller: 'anyone',
    status: 201,
    errors: ['STATE_CONFLICT'],
  }),
  createSession: call({
    ...identity,
    name: 'createSession',
    method: 'POST',
    path: '/sessions',
    caller: 'anyone',
    status: 201,
    errors: ['CREDENTIAL_INVALID'],
  }),
  refreshSession: call({
    ...identity,
    name: 'refreshSession',
    method: 'POST',
    path: '/sessions/refresh',
    caller: 'anyone',
    errors: ['CREDENTIAL_INVALID', 'CREDENTIAL_EXPIRED', 'CREDENTIAL_REVOKED', 'SESSION_INACTIVE'],
  }),
  endSession: call({
    ...identity,
    name: 'endSession',
    method: 'DELETE',
    path: '/sessions/current',
    caller: 'user',
    status: 204,
  }),
  getMe: call({ ...identity, name: 'getMe', method: 'GET', path: '/me', caller: 'user' }),
  enrolTotp: call({
    ...identity,
    name: 'enrolTotp',
    method: 'POST',
    path: '/totp',
    caller: 'user',
    status: 201,
    errors: ['STEP_UP_REQUIRED'],
  }),
  confirmTotp: call({
    ...identity,
    name: 'confirmTotp',
    method: 'POST',
    path: '/totp/confirm',
    caller: 'user',
    errors: ['STATE_CONFLICT', 'STEP_UP_REQUIRED'],
  }),
  verifyTotp: call({
    ...identity,
    name: 'verifyTotp',
    method: 'POST',
    path: '/totp/verify',
    caller: 'user',
    errors: ['STATE_CONFLICT'],
  }),
} as const;

/** The path of the public signing keys below the server's root. The response is a JWK set without an envelope. */
export const jwksPath = '/.well-known/jwks.json';
