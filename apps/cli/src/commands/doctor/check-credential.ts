import { isPermissionError } from '@centavo/sdk';
import { chooseTrackerRemedy, describeError, foreignResponseRemedy, isForeignResponse } from '../../describe-error.js';
import { NotLoggedInError, UnknownNameError, UsageError } from '../../errors.js';
import type { CommandContext } from '../shared/context.js';
import { noTrackerRemedy } from '../shared/resolve-id.js';
import { describeExpiry, renewalOf } from '../status/describe-expiry.js';
import { type LoadedStatus, loadStatus, type Status } from '../status/load-status.js';
import { type Check, fail, ok, warn } from './check.js';

/** Checks that the server accepts the credential, that the credential does not expire soon, and that it can read the current tracker. */
export async function checkCredential(context: CommandContext): Promise<readonly Check[]> {
  const loaded = await loadStatus(context).catch((error: unknown) => error);
  if (isLoaded(loaded)) {
    return [checkExpiry(loaded.status, context.io.clock.nowMs()), checkTracker(loaded)];
  }
  const [message = ''] = describeError(loaded);
  if (loaded instanceof NotLoggedInError) {
    return [fail('credential', message, loaded.remedy ?? 'Run "centavo login".')];
  }
  // `loadStatus` looks up nothing by name except the tracker, so an error of these classes is about the tracker.
  if (loaded instanceof UnknownNameError || loaded instanceof UsageError) {
    return [fail('tracker', message, loaded.remedy ?? chooseTrackerRemedy)];
  }
  return [fail('credential', message, remedyFor(context.settings.token !== undefined, loaded))];
}

function isLoaded(value: unknown): value is LoadedStatus {
  return typeof value === 'object' && value !== null && 'trackerRefusal' in value;
}

function remedyFor(hasToken: boolean, error: unknown): string {
  if (isForeignResponse(error)) return foreignResponseRemedy;
  if (isPermissionError(error)) return 'Check --tracker and the rights of the key.';
  return hasToken
    ? 'Pass an active key in CENTAVO_TOKEN or --token-stdin, or pass none and log in.'
    : 'Run "centavo login".';
}

function checkExpiry({ credential, user }: Status, nowMs: number): Check {
  const { text, warning } = describeExpiry(credential.expiresAt, nowMs);
  const found = [user?.email ?? credential.name, credential.kind, `from ${credential.source}`, text && `until ${text}`]
    .filter((part) => part !== null && part !== '')
    .join(', ');
  if (warning === undefined) return ok('credential', found);
  return warn('credential', found, renewalOf(credential.kind));
}

function checkTracker({ status: { tracker, user }, trackerRefusal }: LoadedStatus): Check {
  if (trackerRefusal !== undefined) return fail('tracker', trackerRefusal.message, trackerRefusal.advice.remedy);
  if (tracker !== null) return ok('tracker', `${tracker.name}, as ${tracker.role}`);
  return user === null
    ? warn('tracker', 'no tracker that the credential may read', 'Choose one with --tracker.')
    : warn('tracker', 'none', noTrackerRemedy);
}
