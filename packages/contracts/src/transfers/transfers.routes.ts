import { voidBody } from '../movements/movement-requests.js';
import { route } from '../route-contract.js';
import { transferRecord } from './transfer-record.js';
import { createTransferBody } from './transfer-requests.js';
import { transfersCalls } from './transfers.calls.js';

export const transfersRoutes = {
  createTransfer: route(transfersCalls.createTransfer, {
    body: createTransferBody,
    data: transferRecord,
    versioned: true,
    location: (transfer) => `/v1/financial/transfers/${transfer.groupId}`,
  }),
  getTransfer: route(transfersCalls.getTransfer, { data: transferRecord, versioned: true }),
  voidTransfer: route(transfersCalls.voidTransfer, {
    body: voidBody,
    bodyOptional: true,
    data: transferRecord,
    versioned: true,
  }),
} as const;
