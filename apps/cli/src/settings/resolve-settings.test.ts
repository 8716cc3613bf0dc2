import { describe, expect, it } from 'vitest';
import { UsageError } from '../cli-error.js';
import { profileDirectory } from './config-directory.js';
import { chooseProfileName, requireOutputFormat, resolveSettings } from './resolve-settings.js';

describe('a setting', () => {
  it('is taken from flag, then environment, then profile, then default', () => {
    const profile = { baseUrl: 'https://profile.example', trackerId: 'from-profile' };
    const env = { CENTAVO_BASE_URL: 'https://env.example', CENTAVO_TRACKER: 'from-env' };
    const flags = { baseUrl: 'https://flag.example', tracker: 'from-flag' };
    const picked = (settings: { baseUrl: string; tracker: string | undefined }) => [settings.baseUrl, settings.tracker];
    expect(picked(resolveSettings(flags, env, profile))).toEqual(['https://flag.example/v1/financial', 'from-flag']);
    expect(picked(resolveSettings({}, env, profile))).toEqual(['https://env.example/v1/financial', 'from-env']);
    expect(picked(resolveSettings({}, {}, profile))).toEqual(['https://profile.example/v1/financial', 'from-profile']);
    expect(picked(resolveSettings({}, {}, {}))).toEqual(['http://127.0.0.1:8080/v1/financial', undefined]);
  });

  it('that is an empty variable counts as unset', () => {
    expect(resolveSettings({}, { CENTAVO_TOKEN: '', CENTAVO_TRACKER: '' }, {})).toMatchObject({
      token: undefined,
      tracker: undefined,
    });
  });

  it('is refused when it is malformed', () => {
    expect(() => resolveSettings({ baseUrl: 'ftp://x' }, {}, {})).toThrow(UsageError);
    expect(() => resolveSettings({ baseUrl: 'https://user:secret@x' }, {}, {})).toThrow(UsageError);
    expect(() => resolveSettings({ timeout: '0' }, {}, {})).toThrow(UsageError);
    expect(() => requireOutputFormat({ output: 'xml' })).toThrow(UsageError);
  });
});

describe('a profile', () => {
  it('is named by flag, then environment, then default', () => {
    expect(chooseProfileName({ profile: 'a' }, { CENTAVO_PROFILE: 'b' })).toBe('a');
    expect(chooseProfileName({}, { CENTAVO_PROFILE: 'b' })).toBe('b');
    expect(chooseProfileName({}, {})).toBe('default');
  });

  it('lives in XDG_CONFIG_HOME, and its name cannot leave it', () => {
    expect(profileDirectory({ XDG_CONFIG_HOME: '/home/ana/.config' }, 'work')).toBe(
      '/home/ana/.config/centavo/profiles/work',
    );
    expect(() => profileDirectory({}, '../../etc')).toThrow(UsageError);
    expect(() => profileDirectory({}, '')).toThrow(UsageError);
  });
});
