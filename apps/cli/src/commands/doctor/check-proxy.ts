import { UsageError } from '../../errors.js';
import { findProxy, readProxySettings } from '../../network/proxy-settings.js';
import { type Check, fail, ok } from './check.js';

/** Checks the proxy settings. Shows the proxy of connections to the server, but not the user and password of the proxy. */
export async function checkProxy(env: Readonly<Record<string, string | undefined>>, baseUrl: string): Promise<Check> {
  try {
    const choice = await findProxy(readProxySettings(env), baseUrl);
    if (choice.kind === 'none') return ok('proxy', choice.reason === undefined ? 'none' : `none: ${choice.reason}`);
    const { url, variable } = choice.proxy;
    const credentials = url.password === '' ? '' : ', with a user and a password';
    return ok('proxy', `${url.origin} (${variable})${credentials}`);
  } catch (error) {
    if (error instanceof UsageError) return fail('proxy', error.message, error.remedy ?? '');
    throw error;
  }
}
