import { describe, expect, it } from 'vitest';
import { decideNameAndStatus } from './rename-or-archive.js';

const current = { name: 'Wallet', status: 'active' } as const;

describe('decideNameAndStatus', () => {
  it('changes what is named and keeps the rest', () => {
    expect(decideNameAndStatus({ body: { status: 'archived' }, current })).toEqual({
      name: 'Wallet',
      status: 'archived',
      change: { status: ['active', 'archived'] },
    });
    expect(decideNameAndStatus({ body: { name: 'Purse' }, current }).change).toEqual({ name: ['Wallet', 'Purse'] });
  });

  it('changes nothing when what is named is so already', () => {
    expect(decideNameAndStatus({ body: { name: 'Wallet', status: 'active' }, current }).change).toEqual({});
  });

  it('is refused for a record that is not there', () => {
    expect(() => decideNameAndStatus({ body: { name: 'Purse' }, current: undefined })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});
