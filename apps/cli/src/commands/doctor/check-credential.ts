import { isPermissionError } from '@centavo/sdk';
import { NotLoggedInError } from '../../cli-error.js';
import { describeError, foreignAnswerRemedy, isForeignAnswer } from '../../describe-error.js';
import type { Invocation } from '../invocation.js';
import { makeFirstTracker } from '../record-ids.js';
import { describeExpiry } from '../status/describe-expiry.js';
import { loadStatus, type Status } from '../status/load-status.js';
import { type Check, fail, ok, warn } from './check.js';

/** Whether the server accepts the credential, until when, and in which tracker it acts. */
export async function checkCredential(invocation: Invocation): Promise<readonly Check[]> {
  const status = await loadStatus(invocation).catch((error: unknown) => error);
  if (isStatus(status)) {
    return [checkExpiry(status, invocation.surroundings.clock.nowMs()), checkTracker(status)];
  }
  const [message = ''] = describeError(status);
  if (status instanceof NotLoggedInError) {
    return [fail('credential', message, status.remedy ?? 'Run "centavo login".')];
  }
  return [fail('credential', message, remedyFor(invocation.settings.token !== undefined, status))];
}

function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'credential' in value;
}

function remedyFor(isFromOutside: boolean, error: unknown): string {
  if (isForeignAnswer(error)) return foreignAnswerRemedy;
  if (isPermissionError(error)) return 'Check --tracker and the rights of the key.';
  return isFromOutside ? 'Set CENTAVO_TOKEN to a key that is active, or unset it.' : 'Run "centavo login".';
}

function checkExpiry({ credential, user }: Status, nowMs: number): Check {
  const { text, warning } = describeExpiry(credential.expiresAt, nowMs);
  const found = [user?.email ?? credential.name, credential.kind, `from ${credential.source}`, text && `until ${text}`]
    .filter((part) => part !== null && part !== '')
    .join(', ');
  if (warning === undefined) return ok('credential', found);
  return warn('credential', found, credential.kind === 'session' ? 'Log in again in time.' : 'Rotate the key in time.');
}

function checkTracker({ tracker, user }: Status): Check {
  if (tracker !== null) return ok('tracker', `${tracker.name}, as ${tracker.role}`);
  return user === null
    ? warn('tracker', 'the credential may not tell', 'Name one with --tracker.')
    : warn('tracker', 'none', makeFirstTracker);
}
