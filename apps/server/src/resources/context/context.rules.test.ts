import { describe, expect, it } from 'vitest';
import {
  decideMembership,
  openInvitationsMax,
  ownedTrackersMax,
  requireInvitable,
  requireRoomForOwnedTracker,
} from './context.rules.js';

const member = {
  user_id: 'user',
  email: 'ada@example.org',
  display_name: null,
  role: 'owner',
  status: 'active',
  created_at: '1970-01-01T00:00:00.000Z',
  registered_at: '1970-01-01T00:00:00.000Z',
  owner_count: 2,
} as const;
const last = { ...member, owner_count: 1 };
const lastOwner = expect.objectContaining({ code: 'STATE_CONFLICT', details: { reason: 'last_owner' } });

describe('decideMembership', () => {
  it('never leaves a tracker without an owner', () => {
    expect(() => decideMembership({ member: last, after: 'admin' })).toThrow(lastOwner);
    expect(() => decideMembership({ member: last, after: null })).toThrow(lastOwner);
  });

  it('lets an owner go while another stays', () => {
    expect(decideMembership({ member, after: null }).change).toEqual({ role: ['owner', null] });
    expect(decideMembership({ member, after: 'viewer' }).change).toEqual({ role: ['owner', 'viewer'] });
  });

  it('changes nothing when the role is the same, also for the last owner', () => {
    expect(decideMembership({ member: last, after: 'owner' }).change).toEqual({});
  });

  it('changes or withdraws the invitation of an owner, who is not an owner yet', () => {
    const invited = { ...last, status: 'invited' } as const;
    expect(decideMembership({ member: invited, after: 'viewer' }).change).toEqual({ role: ['owner', 'viewer'] });
    expect(decideMembership({ member: invited, after: null }).change).toEqual({ role: ['owner', null] });
  });

  it('is refused for who is not a member', () => {
    expect(() => decideMembership({ member: undefined, after: null })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', details: {} }),
    );
  });
});

const conflict = (reason: string) => expect.objectContaining({ code: 'STATE_CONFLICT', details: { reason } });

describe('requireInvitable', () => {
  it('accepts a user who is neither a member nor invited, below the bound of open invitations', () => {
    requireInvitable({ member: undefined, openInvitationCount: openInvitationsMax - 1 });
    expect(() => requireInvitable({ member: undefined, openInvitationCount: openInvitationsMax })).toThrow(
      conflict('limit_reached'),
    );
  });

  it.each(['active', 'invited'] as const)('refuses a user who is %s, whatever the role', (status) => {
    expect(() => requireInvitable({ member: { ...member, status }, openInvitationCount: openInvitationsMax })).toThrow(
      conflict('already_member'),
    );
  });
});

describe('requireRoomForOwnedTracker', () => {
  it('refuses the tracker above the bound', () => {
    requireRoomForOwnedTracker(ownedTrackersMax - 1);
    expect(() => requireRoomForOwnedTracker(ownedTrackersMax)).toThrow(conflict('limit_reached'));
  });
});
