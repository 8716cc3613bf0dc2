import { call } from '../call-contract.js';

/**
 * The operations on transfers. Each transfer is a group of two movements, which are recorded together. `groupId` is the id of this group
 * and so the id of the transfer.
 * @source docs/financial-integration-api.md, Movements and transfers
 */
export const transfersCalls = {
  createTransfer: call({
    name: 'createTransfer',
    resource: 'transfers',
    method: 'POST',
    path: '/transfers',
    scopes: ['transfers:write'],
    idempotency: 'required',
    status: 201,
    errors: ['NOT_FOUND'],
  }),
  getTransfer: call({
    name: 'getTransfer',
    resource: 'transfers',
    method: 'GET',
    path: '/transfers/{groupId}',
    scopes: ['movements:read'],
  }),
  voidTransfer: call({
    name: 'voidTransfer',
    resource: 'transfers',
    method: 'POST',
    path: '/transfers/{groupId}/void',
    scopes: ['transfers:write'],
    idempotency: 'required',
    ifMatch: 'required',
    errors: ['STATE_CONFLICT'],
  }),
} as const;
