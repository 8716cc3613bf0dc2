import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '../../network/proxy-settings.js';
import { type Check, fail, ok, warn } from './check.js';

/** The oldest supported version of Node, as in `engines` of package.json. */
const nodeVersionMin = [20, 19] as const;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isEnough = major > nodeVersionMin[0] || (major === nodeVersionMin[0] && minor >= nodeVersionMin[1]);
  const found = `Node ${version}`;
  return isEnough ? ok('node', found) : fail('node', found, `Install Node ${nodeVersionMin.join('.')} or newer.`);
}

/**
 * Checks that other users have no access to the profile. Checks nothing on Windows, because the file mode does not reflect Windows
 * permissions.
 * @param directory the directory of the profile; a missing directory passes the check
 */
export async function checkPermissions(directory: string, platform: NodeJS.Platform): Promise<Check> {
  if (platform === 'win32') return ok('permissions', 'not checked on Windows');
  const tooOpen: string[] = [];
  for (const path of [directory, join(directory, 'profile.json')]) {
    const mode = await stat(path).then(
      (stats) => stats.mode,
      () => 0,
    );
    if ((mode & 0o077) !== 0) tooOpen.push(path);
  }
  if (tooOpen.length === 0) return ok('permissions', 'only you can read the profile');
  return fail('permissions', `other users have access to ${tooOpen.join(', ')}`, `chmod go= ${tooOpen.join(' ')}`);
}

/**
 * Checks that the token is not sent unencrypted to another machine. Looks only at the protocol and the host, because
 * requests verify the certificate.
 */
export function checkTransport(baseUrl: string): Check {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:') return ok('transport', 'TLS');
  return isLoopback(hostname)
    ? ok('transport', 'on this machine, so no TLS is needed')
    : fail(
        'transport',
        'http to another machine: others on the network could read the token',
        'Use an https:// base URL.',
      );
}

/**
 * The largest clock skew without a warning. A one-time code belongs to a step of 30 s, and the server also accepts the codes
 * of the two neighbouring steps. For the times in tokens, the server also tolerates a skew of 30 s.
 */
const skewMsMax = 30_000;

/** Compares the clocks of this machine and the server. @param date the server's Date header, which has whole seconds */
export function checkClock(date: string | null, nowMs: number): Check {
  const serverMs = Date.parse(date ?? '');
  if (Number.isNaN(serverMs))
    return warn('clock', 'the server does not send its time', 'Check the proxy in front of the server.');
  const seconds = Math.round((nowMs - serverMs) / 1000);
  const found =
    Math.abs(seconds) <= 1
      ? 'same as the server'
      : `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the server`;
  return Math.abs(seconds * 1000) <= skewMsMax
    ? ok('clock', found)
    : warn('clock', found, 'Synchronize the clock: one-time codes and expiries depend on it.');
}
