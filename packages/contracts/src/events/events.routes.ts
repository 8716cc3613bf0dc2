import * as z from 'zod';
import { route } from '../route-contract.js';
import { changeFilters } from './change-filters.js';
import { changeRecord } from './change-record.js';
import { eventsCalls } from './events.calls.js';

export const eventsRoutes = {
  listChanges: route(eventsCalls.listChanges, {
    query: changeFilters,
    data: z.array(changeRecord),
    feed: true,
  }),
} as const;
