import { roles } from '@centavo/contracts';
import { describe, expect, it } from 'vitest';
import {
  decideMembership,
  decideTrackerChange,
  leastRoleForMembership,
  openInvitationsMax,
  ownedTrackersMax,
  requireInvitable,
  requireOwnedTrackerQuota,
  resolveStoredTracker,
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
  it('throws last_owner when the tracker would have no owner', () => {
    expect(() => decideMembership({ member: last, after: 'admin' })).toThrow(lastOwner);
    expect(() => decideMembership({ member: last, after: null })).toThrow(lastOwner);
  });

  it('removes or demotes an owner if another owner remains', () => {
    expect(decideMembership({ member, after: null }).change).toEqual({ role: ['owner', null] });
    expect(decideMembership({ member, after: 'viewer' }).change).toEqual({ role: ['owner', 'viewer'] });
  });

  it('returns an empty change when the last owner keeps the role owner', () => {
    expect(decideMembership({ member: last, after: 'owner' }).change).toEqual({});
  });

  it('changes or withdraws an invitation with the role owner, even if the tracker has only one owner', () => {
    const invited = { ...last, status: 'invited' } as const;
    expect(decideMembership({ member: invited, after: 'viewer' }).change).toEqual({ role: ['owner', 'viewer'] });
    expect(decideMembership({ member: invited, after: null }).change).toEqual({ role: ['owner', null] });
  });

  it('throws NOT_FOUND when the user is neither a member nor invited', () => {
    expect(() => decideMembership({ member: undefined, after: null })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', details: {} }),
    );
  });
});

const conflict = (reason: string) => expect.objectContaining({ code: 'STATE_CONFLICT', details: { reason } });

describe('requireInvitable', () => {
  it('throws limit_reached when a user who is not a member already has the maximum number of open invitations', () => {
    requireInvitable({ member: undefined, openInvitationCount: openInvitationsMax - 1 });
    expect(() => requireInvitable({ member: undefined, openInvitationCount: openInvitationsMax })).toThrow(
      conflict('limit_reached'),
    );
  });

  it.each(['active', 'invited'] as const)('throws already_member for a user with the status %s', (status) => {
    expect(() => requireInvitable({ member: { ...member, status }, openInvitationCount: openInvitationsMax })).toThrow(
      conflict('already_member'),
    );
  });
});

describe('requireOwnedTrackerQuota', () => {
  it('throws limit_reached when the user already owns the maximum number of trackers', () => {
    requireOwnedTrackerQuota(ownedTrackersMax - 1);
    expect(() => requireOwnedTrackerQuota(ownedTrackersMax)).toThrow(conflict('limit_reached'));
  });
});

describe('leastRoleForMembership', () => {
  it('returns viewer for leaving a tracker, whatever role the member has', () => {
    for (const before of roles) expect(leastRoleForMembership({ before, after: null, isSelf: true })).toBe('viewer');
  });

  // @proves contract 2: Roles in a tracker
  it('returns owner for adding, changing and removing an owner', () => {
    expect(leastRoleForMembership({ before: null, after: 'owner', isSelf: false })).toBe('owner');
    expect(leastRoleForMembership({ before: 'admin', after: 'owner', isSelf: true })).toBe('owner');
    expect(leastRoleForMembership({ before: 'owner', after: 'viewer', isSelf: false })).toBe('owner');
    expect(leastRoleForMembership({ before: 'owner', after: null, isSelf: false })).toBe('owner');
  });

  it('returns admin for adding, changing and removing a member if neither the old nor the new role is owner', () => {
    expect(leastRoleForMembership({ before: null, after: 'admin', isSelf: false })).toBe('admin');
    expect(leastRoleForMembership({ before: 'editor', after: 'admin', isSelf: false })).toBe('admin');
    expect(leastRoleForMembership({ before: 'admin', after: null, isSelf: false })).toBe('admin');
  });
});

const current = { name: 'Home', time_zone: 'Europe/Madrid' };

describe('decideTrackerChange', () => {
  it('changes the time zone and keeps the name when the body contains only a time zone', () => {
    expect(decideTrackerChange({ body: { timeZone: 'Asia/Tokyo' }, current })).toEqual({
      name: 'Home',
      timeZone: 'Asia/Tokyo',
      change: { timeZone: ['Europe/Madrid', 'Asia/Tokyo'] },
    });
  });

  it('returns an empty change when the new name and time zone equal the current ones', () => {
    const body = { name: 'Home', timeZone: 'Europe/Madrid' };
    expect(decideTrackerChange({ body, current }).change).toEqual({});
  });
});

describe('resolveStoredTracker', () => {
  const stored = { kind: null, activeTrackerId: 'a', defaultTrackerId: 'b', eligibleTrackerIds: ['a', 'b'] };

  it('prefers the active tracker to the default tracker', () => {
    expect(resolveStoredTracker(stored)).toEqual({ id: 'a', resolvedBy: 'active' });
    expect(resolveStoredTracker({ ...stored, activeTrackerId: null })).toEqual({ id: 'b', resolvedBy: 'default' });
  });

  it('returns null when the stored active tracker is not eligible, even if the default tracker is eligible', () => {
    expect(resolveStoredTracker({ ...stored, eligibleTrackerIds: ['b'] })).toBeNull();
  });

  it('returns the eligible tracker if no tracker is stored and exactly one is eligible, and null if none or two are eligible', () => {
    const none = { ...stored, activeTrackerId: null, defaultTrackerId: null };
    expect(resolveStoredTracker({ ...none, eligibleTrackerIds: ['c'] })).toEqual({ id: 'c', resolvedBy: 'single' });
    expect(resolveStoredTracker(none)).toBeNull();
    expect(resolveStoredTracker({ ...none, eligibleTrackerIds: [] })).toBeNull();
  });

  it('ignores the stored active and default trackers if the caller uses an API key of the kind "secure"', () => {
    expect(resolveStoredTracker({ ...stored, kind: 'secure' })).toBeNull();
    expect(resolveStoredTracker({ ...stored, kind: 'secure', eligibleTrackerIds: ['b'] })).toMatchObject({ id: 'b' });
  });
});
