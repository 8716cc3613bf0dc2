import { route } from '../route-contract.js';
import { transferRecord } from './transfer-record.js';
import { createTransferBody } from './transfer-requests.js';
import { transfersCalls } from './transfers.calls.js';

export const transfersRoutes = {
  createTransfer: route(transfersCalls.createTransfer, {
    body: createTransferBody,
    data: transferRecord,
    location: (transfer) => `/v1/financial/transfers/${transfer.groupId}`,
  }),
  getTransfer: route(transfersCalls.getTransfer, { data: transferRecord }),
} as const;
