import { describe, expect, test } from 'vitest';
import { LastPlaces } from './last-places.js';

const home = { userId: 'u', trackerId: 'home' };
const shop = { userId: 'u', trackerId: 'shop' };

describe('where a caller was let in', () => {
  test('is known until the caller is forgotten', () => {
    const places = new LastPlaces();
    places.keep('caller', home);
    expect([places.find('caller'), places.find('stranger')]).toEqual([home, undefined]);
    places.forget('caller');
    expect(places.find('caller')).toBeUndefined();
  });

  test('is where that was last', () => {
    const places = new LastPlaces();
    places.keep('caller', home);
    places.keep('caller', shop);
    expect(places.find('caller')).toEqual(shop);
    places.keep('caller', { ...shop, userId: 'another' });
    expect(places.find('caller')).toEqual({ ...shop, userId: 'another' });
  });

  test('is kept for so many callers and no more, and the first gives way', () => {
    const places = new LastPlaces({ placesMax: 2 });
    for (const caller of ['first', 'second', 'second', 'third']) places.keep(caller, home);
    expect(['first', 'second', 'third'].map((caller) => places.find(caller))).toEqual([undefined, home, home]);
    places.keep('third', shop);
    expect(['second', 'third'].map((caller) => places.find(caller))).toEqual([home, shop]);
  });
});
