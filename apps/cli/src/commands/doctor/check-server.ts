import { type FinancialClient, isFinancialApiError, isServerError } from '@centavo/sdk';
import { describeError, foreignResponseRemedy, isForeignResponse } from '../../describe-error.js';
import { findProxyFailure } from '../../network/proxy-failure.js';
import { cliVersion } from '../../version.js';
import { type Check, fail, ok, warn } from './check.js';
import { checkClock } from './check-machine.js';

const once = { maxRetries: 0, timeoutMs: 10_000 };

/** Checks that the server responds, is ready, has a clock that agrees with this machine, and has a compatible version. */
export async function checkServer(client: FinancialClient, nowMs: () => number): Promise<readonly Check[]> {
  try {
    const ready = client.request<{ status?: unknown } | null>({ method: 'GET', path: '/health/ready', ...once });
    const { data, headers } = await ready.withResponse();
    if (data?.status !== 'ready') return [fail('server', 'reachable, but not Centavo', foreignResponseRemedy)];
    return [ok('server', 'reachable and ready'), checkClock(headers.get('date'), nowMs()), await checkVersion(client)];
  } catch (error) {
    if (isServerError(error) && error.status === 503) {
      return [
        fail(
          'server',
          'reachable, but not ready',
          'Wait a moment. If the server does not become ready, check its log and its database.',
        ),
        checkClock(error.headers.get('date'), nowMs()),
      ];
    }
    const proxyFailure = findProxyFailure(error);
    if (proxyFailure !== undefined) return [fail('server', proxyFailure.message, proxyFailure.remedy)];
    const [message = ''] = describeError(error);
    const remedy =
      isFinancialApiError(error) || isForeignResponse(error)
        ? foreignResponseRemedy
        : 'Check that the server is running. Also check the base URL, the network and proxies.';
    return [fail('server', message, remedy)];
  }
}

/**
 * Compares the major versions of the CLI and the server. A difference is a warning. A missing OpenAPI document is also only a
 * warning, because a proxy may block it.
 */
async function checkVersion(client: FinancialClient): Promise<Check> {
  const description = await client
    .request<{ info?: { version?: unknown } | null } | null>({ method: 'GET', path: '/openapi.json', ...once })
    .catch(() => undefined);
  const version = description?.info?.version;
  if (typeof version !== 'string') {
    return warn(
      'version',
      `centavo ${cliVersion}, the server does not report its version`,
      'Ask the operator of the server whether a proxy blocks /openapi.json.',
    );
  }
  const found = `centavo ${cliVersion}, server ${version}`;
  const hasSameMajor = version.split('.')[0] === cliVersion.split('.')[0];
  return hasSameMajor ? ok('version', found) : warn('version', found, 'Update the older version.');
}
