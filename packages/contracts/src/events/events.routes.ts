import * as z from 'zod';
import { route } from '../route-contract.js';
import { auditEventFilters, auditEventRecord, auditHeadRecord } from './audit-events.js';
import { changeFilters } from './change-filters.js';
import { changeRecord } from './change-record.js';
import { eventsCalls } from './events.calls.js';
import { securityEventFilters, securityEventRecord } from './security-events.js';

export const eventsRoutes = {
  listChanges: route(eventsCalls.listChanges, {
    query: changeFilters,
    data: z.array(changeRecord),
    feed: true,
  }),
  listAuditEvents: route(eventsCalls.listAuditEvents, {
    query: auditEventFilters,
    data: z.array(auditEventRecord),
    paginated: true,
  }),
  getAuditHead: route(eventsCalls.getAuditHead, { data: auditHeadRecord }),
  listSecurityEvents: route(eventsCalls.listSecurityEvents, {
    query: securityEventFilters,
    data: z.array(securityEventRecord),
    paginated: true,
  }),
} as const;
