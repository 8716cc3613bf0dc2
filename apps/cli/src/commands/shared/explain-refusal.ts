import {
  isConnectionError,
  isOutcomeUnknownError,
  isPermissionError,
  isRateLimitError,
  isServerError,
  isTimeoutError,
  isValidationError,
} from '@centavo/sdk';
import type { Command } from 'commander';
import { traceSettings } from '../../config/settings.js';
import {
  chooseTrackerForProfileRemedy,
  chooseTrackerRemedy,
  foreignResponseRemedy,
  invalidRequestRemedy,
  invalidRequestText,
  isForeignResponse,
  repeatTime,
  userSessionRemedy,
} from '../../describe-error.js';
import { AdvisedError } from '../../errors.js';
import type { CommandContext } from './context.js';

/**
 * Converts an error of the server to the terms of the CLI:
 * - For an invalid request, the message names flags instead of fields.
 * - For a tracker that the credential may not use, the message names the tracker. If a setting contains its id, the message also
 *   names the setting.
 * - For a missing scope in a command that needs a user session, the message asks for a user session, because no API key is enough.
 * - For a read that failed for a temporary reason, the remedy is to repeat the command. But if the command has already changed
 *   something on the server, the remedy says not to repeat it.
 *
 * Other errors are returned unchanged.
 *
 * @param options.isForUsers whether the command needs a user session
 */
export function explainRefusal(
  error: unknown,
  {
    command,
    context,
    isForUsers,
  }: {
    command: Command;
    context: Pick<CommandContext, 'sources' | 'profileName' | 'lastMethod' | 'hasWritten'>;
    isForUsers: boolean;
  },
): unknown {
  if (isValidationError(error) && error.issues.length > 0) {
    const details = error.issues.map(({ path, message }) => `${flagOfField(path, command)}: ${message}`);
    return new AdvisedError(error, { message: invalidRequestText, details, remedy: invalidRequestRemedy });
  }
  if (context.lastMethod === 'GET' && context.hasWritten && mayBeTemporary(error)) {
    return new AdvisedError(error, { remedy: withForeignResponse(error, recordedRemedy) });
  }
  if (context.lastMethod === 'GET' && (isServerError(error) || isOutcomeUnknownError(error))) {
    const when = repeatTime(isServerError(error) ? error.retryAfterMs : null);
    const remedy = `Nothing was changed. Repeat the command ${when}.`;
    return new AdvisedError(error, { remedy: withForeignResponse(error, remedy) });
  }
  if (isForUsers && isPermissionError(error) && error.code === 'INSUFFICIENT_SCOPE') {
    return new AdvisedError(error, { message: 'This needs a user session.', remedy: userSessionRemedy });
  }
  return explainForbiddenTracker(error, context) ?? error;
}

const recordedRemedy = 'The change was recorded. Do not repeat the command; only its output could not be completed.';

function withForeignResponse(error: unknown, remedy: string): string {
  return isForeignResponse(error) ? `${foreignResponseRemedy} ${remedy}` : remedy;
}

/** Returns whether the error may have a temporary cause, so that the same request may succeed later. */
function mayBeTemporary(error: unknown): boolean {
  return (
    isServerError(error) ||
    isOutcomeUnknownError(error) ||
    isConnectionError(error) ||
    isTimeoutError(error) ||
    isRateLimitError(error)
  );
}

/**
 * If the server refused a tracker, returns an error that names this tracker. If the id of the tracker comes from a flag, an environment
 * variable or the profile, the error also names this source. For other errors of the server, returns undefined.
 */
export function explainForbiddenTracker(
  error: unknown,
  context: Pick<CommandContext, 'sources' | 'profileName'>,
): AdvisedError | undefined {
  const forbidden = isPermissionError(error) ? trackersOf(error) : [];
  if (forbidden.length === 0) return undefined;
  const names = forbidden.map((trackerId) => describeTracker(trackerId, context)).join(', ');
  const isOfProfile = traceSettings(context.sources).tracker.origin === 'profile';
  return new AdvisedError(error, {
    message: `This credential may not use the tracker${forbidden.length === 1 ? '' : 's'} ${names}.`,
    remedy: isOfProfile ? chooseTrackerForProfileRemedy : chooseTrackerRemedy,
  });
}

function trackersOf({ code, details }: { code: string; details: Readonly<Record<string, unknown>> }): string[] {
  if (code !== 'TRACKER_FORBIDDEN' || !Array.isArray(details.trackerIds)) return [];
  return details.trackerIds.filter((trackerId) => typeof trackerId === 'string');
}

function describeTracker(trackerId: string, { sources, profileName }: Pick<CommandContext, 'sources' | 'profileName'>) {
  const { value, origin } = traceSettings(sources).tracker;
  if (value?.toLowerCase() !== trackerId.toLowerCase()) return trackerId;
  return `${value}, which ${origin === 'profile' ? `the profile ${profileName}` : origin} names`;
}

/**
 * Returns the flag or argument for a field of a request: `amountDecimal` → `--amount`, `query.limit` → `--limit`,
 * `scopes.0` → `--scope`. For a field without a flag or argument, returns `path`. For an empty path, returns `body`.
 * @param path the path of the invalid field, as the API returns it
 */
export function flagOfField(path: string, command: Command): string {
  if (path === '') return 'body';
  const fields = path.split('.').filter((part) => !/^(query|header|path|\d+)$/.test(part));
  // The innermost field is tried first: for `access.trackerIds.0`, the flag is that of `trackerIds`, and not of `access`.
  for (const field of fields.reverse()) {
    for (const word of wordsFor(field)) {
      if (command.options.some(({ long }) => long === `--${word}`)) return `--${word}`;
      if (command.registeredArguments.some((argument) => argument.name() === word)) return `<${word}>`;
    }
  }
  return path;
}

/**
 * Returns the possible names of the flag or argument for a field: `amount-decimal` and `amount` for `amountDecimal`, or `scopes` and
 * `scope` for `scopes`.
 */
function wordsFor(field: string): readonly string[] {
  const word = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const withoutSuffix = word.replace(/-(decimal|id|ids|code)$/, '');
  return [
    differentNames[field] ?? word,
    withoutSuffix,
    withoutSuffix.replace(/(s|ies)$/, (end) => (end === 's' ? '' : 'y')),
  ];
}

/** The names of flags that differ from the name of their field: `--since` sets the field `after`. */
const differentNames: Readonly<Record<string, string>> = {
  after: 'since',
  categoryIds: 'category',
  eventTypes: 'events',
  excludeOwnWrites: 'own-writes',
  expiresAt: 'expires-in',
  trackerIds: 'for-tracker',
};
