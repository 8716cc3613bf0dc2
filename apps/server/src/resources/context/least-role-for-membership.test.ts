import { roles } from '@centavo/contracts';
import { describe, expect, it } from 'vitest';
import { leastRoleForMembership } from './least-role-for-membership.js';

describe('leastRoleForMembership', () => {
  it('lets everybody leave', () => {
    for (const before of roles) expect(leastRoleForMembership({ before, after: null, isSelf: true })).toBe('viewer');
  });

  it('lets only owners make, change and remove owners', () => {
    expect(leastRoleForMembership({ before: null, after: 'owner', isSelf: false })).toBe('owner');
    expect(leastRoleForMembership({ before: 'admin', after: 'owner', isSelf: true })).toBe('owner');
    expect(leastRoleForMembership({ before: 'owner', after: 'viewer', isSelf: false })).toBe('owner');
    expect(leastRoleForMembership({ before: 'owner', after: null, isSelf: false })).toBe('owner');
  });

  it('lets admins do so with everybody else', () => {
    expect(leastRoleForMembership({ before: null, after: 'admin', isSelf: false })).toBe('admin');
    expect(leastRoleForMembership({ before: 'editor', after: 'admin', isSelf: false })).toBe('admin');
    expect(leastRoleForMembership({ before: 'admin', after: null, isSelf: false })).toBe('admin');
  });
});
