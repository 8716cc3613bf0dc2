import { describe, expect, it } from 'vitest';
import { findProxy, readProxySettings } from './proxy-settings.js';

const corporate = 'http://ana:secret@proxy.example:3128';
const local = 'http://127.0.0.1:3128';
const api = 'https://money.example.com/v1/financial';

const chosen = async (env: Record<string, string>, url = api) => {
  const choice = await findProxy(readProxySettings(env), url);
  return choice.kind === 'proxy' ? `${choice.proxy.url.host} of ${choice.proxy.variable}` : choice;
};

describe('the proxy of a URL', () => {
  it.each<[string, Record<string, string>, string]>([
    ['HTTPS_PROXY', { HTTPS_PROXY: corporate, HTTP_PROXY: local }, 'proxy.example:3128 of HTTPS_PROXY'],
    [
      'https_proxy, even if HTTPS_PROXY is set',
      { https_proxy: corporate, HTTPS_PROXY: local },
      'proxy.example:3128 of https_proxy',
    ],
    [
      'HTTPS_PROXY if https_proxy is empty',
      { https_proxy: '', HTTPS_PROXY: corporate },
      'proxy.example:3128 of HTTPS_PROXY',
    ],
    ['HTTP_PROXY if HTTPS_PROXY is not set', { HTTP_PROXY: corporate }, 'proxy.example:3128 of HTTP_PROXY'],
    ['HTTPS_PROXY without a scheme', { HTTPS_PROXY: 'proxy.example:3128' }, 'proxy.example:3128 of HTTPS_PROXY'],
  ])('is read from %s', async (_, env, expected) => {
    expect(await chosen(env)).toBe(expected);
  });

  it('is none, and the result has no reason, if no variable names a proxy (with or without NO_PROXY)', async () => {
    expect(await chosen({})).toEqual({ kind: 'none', reason: undefined });
    expect(await chosen({ NO_PROXY: '*' })).toEqual({ kind: 'none', reason: undefined });
  });

  it('is none if no_proxy excludes the host, and the reason in the result names no_proxy', async () => {
    expect(await chosen({ HTTPS_PROXY: corporate, no_proxy: '.example.com' })).toEqual({
      kind: 'none',
      reason: 'no_proxy excludes money.example.com',
    });
  });

  it('is none for an http:// URL if the proxy is on another machine, because http:// requests must not leave this machine', async () => {
    const url = 'http://127.0.0.1:8080/v1/financial';
    expect(await chosen({ HTTP_PROXY: local }, url)).toBe('127.0.0.1:3128 of HTTP_PROXY');
    expect(await chosen({ HTTP_PROXY: corporate }, url)).toEqual({
      kind: 'none',
      reason: 'HTTP_PROXY names a proxy on another machine, and http:// requests must not leave this machine',
    });
  });

  it.each(['ftp://ana:secret@proxy.example', 'http://', 'http://ana:secret@:99999', 'socks5://ana:secret@127.0.0.1'])(
    'is rejected if HTTPS_PROXY is %s; the error message does not contain this value',
    (value) => {
      let message = '';
      try {
        readProxySettings({ HTTPS_PROXY: value });
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toBe('HTTPS_PROXY is not an http or https URL.');
    },
  );
});

describe('NO_PROXY', () => {
  it.each([
    ['money.example.com', api, 'none'],
    ['example.com', api, 'none'],
    ['.example.com', api, 'none'],
    ['*.example.com', api, 'none'],
    ['EXAMPLE.com', api, 'none'],
    ['other.example, example.com', api, 'none'],
    ['other.example example.com', api, 'none'],
    ['*', api, 'none'],
    ['money.example.com:443', api, 'none'],
    ['money.example.com:8443', api, 'proxy'],
    ['other.example', api, 'proxy'],
    ['example.com', 'https://notexample.com', 'proxy'],
    ['10.0.0.1', 'https://10.0.0.1', 'none'],
    ['10.0.0.0/8', 'https://10.0.0.1', 'proxy'],
    ['[::1]', 'https://[::1]', 'none'],
    ['localhost,127.0.0.1', 'http://127.0.0.1:8080', 'none'],
    ['127.0.0.1:80', 'http://127.0.0.1:8080', 'proxy'],
  ])('set to "%s" makes findProxy, for the URL %s, return the kind "%s"', async (NO_PROXY, url, kind) => {
    expect(await findProxy(readProxySettings({ HTTP_PROXY: local, NO_PROXY }), url)).toMatchObject({ kind });
  });
});
