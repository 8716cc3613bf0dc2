import { describe, expect, it } from 'vitest';
import { decideTrackerChange } from './update-tracker.js';

const current = { name: 'Home', time_zone: 'Europe/Madrid' };

describe('decideTrackerChange', () => {
  it('changes what is named and keeps the rest', () => {
    expect(decideTrackerChange({ body: { timeZone: 'Asia/Tokyo' }, current })).toEqual({
      name: 'Home',
      timeZone: 'Asia/Tokyo',
      change: { timeZone: ['Europe/Madrid', 'Asia/Tokyo'] },
    });
  });

  it('changes nothing when what is named is so already', () => {
    const body = { name: 'Home', timeZone: 'Europe/Madrid' };
    expect(decideTrackerChange({ body, current }).change).toEqual({});
  });
});
