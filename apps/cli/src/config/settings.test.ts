import { describe, expect, it } from 'vitest';
import { UsageError } from '../errors.js';
import { profileDirectory } from './files.js';
import type { Profile } from './profiles.js';
import { type GlobalFlags, requireOutputFormat, resolveSettings, traceProfileName } from './settings.js';

const resolve = (flags: GlobalFlags, env: Record<string, string>, profile: Profile) =>
  resolveSettings({ flags, env, profile });

describe('a setting', () => {
  it('is read from flag, environment, profile or default, in this order', () => {
    const profile = { baseUrl: 'https://profile.example', trackerId: 'from-profile' };
    const env = { CENTAVO_BASE_URL: 'https://env.example', CENTAVO_TRACKER: 'from-env' };
    const flags = { baseUrl: 'https://flag.example', tracker: 'from-flag' };
    const picked = (settings: { baseUrl: string; tracker: string | undefined }) => [settings.baseUrl, settings.tracker];
    expect(picked(resolve(flags, env, profile))).toEqual(['https://flag.example/v1/financial', 'from-flag']);
    expect(picked(resolve({}, env, profile))).toEqual(['https://env.example/v1/financial', 'from-env']);
    expect(picked(resolve({}, {}, profile))).toEqual(['https://profile.example/v1/financial', 'from-profile']);
    expect(picked(resolve({}, {}, {}))).toEqual(['http://127.0.0.1:8080/v1/financial', undefined]);
  });

  it('is unset if its environment variable is empty', () => {
    expect(resolve({}, { CENTAVO_TOKEN: '', CENTAVO_TRACKER: '' }, {})).toMatchObject({
      token: undefined,
      tracker: undefined,
    });
  });

  it('is rejected when it is malformed', () => {
    expect(() => resolve({ baseUrl: 'ftp://x' }, {}, {})).toThrow(UsageError);
    expect(() => resolve({ baseUrl: 'https://user:secret@x' }, {}, {})).toThrow(UsageError);
    expect(() => resolve({ timeout: '0' }, {}, {})).toThrow(UsageError);
    expect(() => requireOutputFormat({ output: 'xml' })).toThrow(UsageError);
  });
});

describe('a profile', () => {
  it('is chosen by flag, environment, `profiles use` or default, in this order', () => {
    const env = { CENTAVO_PROFILE: 'b' };
    expect(traceProfileName({ profile: 'a' }, env, 'c')).toEqual({ value: 'a', origin: '--profile' });
    expect(traceProfileName({}, env, 'c')).toEqual({ value: 'b', origin: 'CENTAVO_PROFILE' });
    expect(traceProfileName({}, {}, 'c')).toEqual({ value: 'c', origin: 'profiles use' });
    expect(traceProfileName({}, {}, undefined)).toEqual({ value: 'default', origin: 'default' });
  });

  it('is stored below XDG_CONFIG_HOME, and is rejected if its name is empty or leads to another directory', () => {
    expect(profileDirectory({ XDG_CONFIG_HOME: '/home/ana/.config' }, 'work')).toBe(
      '/home/ana/.config/centavo/profiles/work',
    );
    expect(() => profileDirectory({}, '../../etc')).toThrow(UsageError);
    expect(() => profileDirectory({}, '')).toThrow(UsageError);
  });
});
