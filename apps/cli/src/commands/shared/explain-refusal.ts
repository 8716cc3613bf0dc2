import { isOutcomeUnknownError, isPermissionError, isServerError, isValidationError } from '@centavo/sdk';
import type { Command } from 'commander';
import { AdvisedError } from '../../errors.js';
import {
  chooseTrackerForProfileRemedy,
  chooseTrackerRemedy,
  foreignAnswerRemedy,
  invalidRequestRemedy,
  invalidRequestText,
  isForeignAnswer,
  repeatTime,
  userSessionRemedy,
} from '../../describe-error.js';
import { traceSettings } from '../../config/settings.js';
import type { CommandContext } from './context.js';

/**
 * A refusal of the server in the words of the command line: a field by the flag that gave it, a tracker by its id and by
 * who named it; a read that failed as what may just be repeated. Every other error is returned as it is.
 *
 * @param context.isForUsers what the command does needs a user session, so that no scope of a key would help
 */
export function explainRefusal(
  error: unknown,
  {
    command,
    context,
    isForUsers,
  }: {
    command: Command;
    context: Pick<CommandContext, 'sources' | 'profileName' | 'lastMethod'>;
    isForUsers: boolean;
  },
): unknown {
  if (isValidationError(error) && error.issues.length > 0) {
    const details = error.issues.map(({ path, message }) => `${flagOfField(path, command)}: ${message}`);
    return new AdvisedError(error, { message: invalidRequestText, details, remedy: invalidRequestRemedy });
  }
  if (context.lastMethod === 'GET' && (isServerError(error) || isOutcomeUnknownError(error))) {
    const when = repeatTime(isServerError(error) ? error.retryAfterMs : null);
    const remedy = `Nothing was changed by this. Repeat the command ${when}.`;
    return new AdvisedError(error, { remedy: isForeignAnswer(error) ? `${foreignAnswerRemedy} ${remedy}` : remedy });
  }
  if (isForUsers && isPermissionError(error) && error.code === 'INSUFFICIENT_SCOPE') {
    return new AdvisedError(error, { message: 'This needs a user session.', remedy: userSessionRemedy });
  }
  return explainForbiddenTracker(error, context) ?? error;
}

/** Returns the refusal of a named tracker with the setting that names it; undefined for every other error. */
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
 * What was typed for a field of a request: the command's flag or argument that gives it, `amountDecimal` → `--amount`,
 * `query.limit` → `--limit`, `scopes.0` → `--scope`. A field that the command has neither for keeps its name.
 * @param path of an issue, as the API gives it
 */
export function flagOfField(path: string, command: Command): string {
  if (path === '') return 'body';
  const fields = path.split('.').filter((part) => !/^(query|header|path|\d+)$/.test(part));
  // The innermost field that the command knows: `access.trackerIds.0` is known by the latter.
  for (const field of fields.reverse()) {
    for (const word of wordsFor(field)) {
      if (command.options.some(({ long }) => long === `--${word}`)) return `--${word}`;
      if (command.registeredArguments.some((argument) => argument.name() === word)) return `<${word}>`;
    }
  }
  return path;
}

function wordsFor(field: string): readonly string[] {
  const word = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const withoutUnit = word.replace(/-(decimal|id|ids|code)$/, '');
  return [odd[field] ?? word, withoutUnit, withoutUnit.replace(/(s|ies)$/, (end) => (end === 's' ? '' : 'y'))];
}

/** Fields whose flags are not their own words. */
const odd: Readonly<Record<string, string>> = {
  categoryIds: 'category',
  expiresAt: 'expires-in',
  trackerIds: 'for-tracker',
};
