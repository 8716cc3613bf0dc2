import { describe, expect, it } from 'vitest';
import { decideMembership } from './change-membership.js';

const member = {
  user_id: 'user',
  email: 'ada@example.org',
  display_name: null,
  role: 'owner',
  created_at: '1970-01-01T00:00:00.000Z',
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

  it('is refused for who is not a member', () => {
    expect(() => decideMembership({ member: undefined, after: null })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', details: {} }),
    );
  });
});
