import * as z from 'zod';
import { route } from '../route-contract.js';
import { contextCalls } from './context.calls.js';
import { contextRecord } from './context-record.js';
import {
  addMemberBody,
  changeMemberRoleBody,
  chooseTrackerBody,
  createTrackerBody,
  updateTrackerBody,
} from './context-requests.js';
import { invitationRecord, memberRecord } from './member-record.js';
import { trackerRecord } from './tracker-record.js';

export const contextRoutes = {
  getContext: route(contextCalls.getContext, { data: contextRecord }),
  setActiveTracker: route(contextCalls.setActiveTracker, { body: chooseTrackerBody, data: contextRecord }),
  setDefaultTracker: route(contextCalls.setDefaultTracker, { body: chooseTrackerBody, data: contextRecord }),
  listTrackers: route(contextCalls.listTrackers, { data: z.array(trackerRecord) }),
  createTracker: route(contextCalls.createTracker, {
    body: createTrackerBody,
    data: trackerRecord,
    location: () => '/v1/financial/trackers',
  }),
  updateTracker: route(contextCalls.updateTracker, { body: updateTrackerBody, data: trackerRecord }),
  listMembers: route(contextCalls.listMembers, { data: z.array(memberRecord) }),
  addMember: route(contextCalls.addMember, {
    body: addMemberBody,
    data: memberRecord,
    location: (_, { trackerId }) => `/v1/financial/trackers/${trackerId}/members`,
  }),
  changeMemberRole: route(contextCalls.changeMemberRole, { body: changeMemberRoleBody, data: memberRecord }),
  removeMember: route(contextCalls.removeMember, {}),
  listInvitations: route(contextCalls.listInvitations, { data: z.array(invitationRecord) }),
  acceptInvitation: route(contextCalls.acceptInvitation, { data: memberRecord }),
  declineInvitation: route(contextCalls.declineInvitation, {}),
} as const;
