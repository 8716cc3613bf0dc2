import { DatabaseAway, isConnectionFailure, sqlStateOf } from './postgres-errors.js';

/**
 * Explains to an operator why a PostgreSQL could not be used and what to do, with host and port, never with the password.
 * Returns other failures, such as a changed migration, as they are. Pure.
 * @param setting the variable that holds the address, such as DATABASE_URL
 * @param failure what connecting or migrating threw
 */
export function explainRefusal(setting: { readonly name: string; readonly url: string }, failure: unknown): unknown {
  const place = placeOf(setting);
  const reason = failure instanceof DatabaseAway ? failure.cause : failure;
  if (!(reason instanceof Error)) return failure;
  const state = sqlStateOf(reason);
  if (state !== undefined) return new Error(refusedText({ reason, state, place }), { cause: failure });
  // A migration that failed has said itself which one, and on which line.
  if (sqlStateOf(reason.cause) === '42501') {
    return new Error(`${reason.message} ${remedyOfMissingRight(reason.message, place)}`, { cause: failure });
  }
  const isUnanswered = failure instanceof DatabaseAway || isConnectionFailure(reason);
  return isUnanswered ? new Error(unansweredText(reason, place), { cause: failure }) : failure;
}

interface Place {
  readonly setting: string;
  readonly address: string;
  readonly user: string;
  readonly hasPassword: boolean;
  readonly database: string;
}

function placeOf({ name: setting, url }: { readonly name: string; readonly url: string }): Place {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const host = hostname || searchParams.get('host') || 'localhost';
  const user = decodeURIComponent(username) || searchParams.get('user') || '';
  return {
    setting,
    address: `${host}:${port || searchParams.get('port') || 5432}`,
    user,
    hasPassword: (password || searchParams.get('password') || process.env.PGPASSWORD || '') !== '',
    database: decodeURIComponent(pathname.slice(1)) || user,
  };
}

/** No SQLSTATE: the socket or the driver gave up, before or after something answered. */
function unansweredText(reason: Error, place: Place): string {
  if (/client password must be/.test(reason.message)) return passwordMissing(place);
  const subject = `The PostgreSQL of ${place.setting} at ${place.address}`;
  const { code } = reason as NodeJS.ErrnoException;
  if (/does not support SSL/.test(reason.message)) {
    return `${subject} offers no TLS. Switch it on there, or take sslmode out of ${place.setting}.`;
  }
  if (/^E[A-Z]+$/.test(code ?? '')) {
    return `${subject} does not answer (${code}). Start it, correct ${place.setting}, or unset it to use the embedded one.`;
  }
  return (
    `What is at ${place.address} does not answer as a PostgreSQL does (${reason.message}). ` +
    `Correct ${place.setting}, or unset it to use the embedded one.`
  );
}

function refusedText({ reason, state, place }: { reason: Error; state: string; place: Place }): string {
  if (state === '28P01' && !place.hasPassword) return passwordMissing(place);
  return `The PostgreSQL of ${place.setting} at ${place.address} refused: ${reason.message}. ${remedyOf({ reason, state, place })}`;
}

function passwordMissing({ setting, user, address }: Place): string {
  const named = user === '' ? `${setting} has no password` : `${setting} names user ${user} without a password`;
  return `${named}, and the PostgreSQL at ${address} asks for one. Put it into ${setting}.`;
}

function remedyOf({ reason, state, place }: { reason: Error; state: string; place: Place }): string {
  const { setting, user, database } = place;
  switch (state) {
    case '28P01':
      return `Correct user and password in ${setting}.`;
    case '28000':
      return `Correct the user in ${setting}, or let it in (pg_hba.conf of that PostgreSQL).`;
    case '3D000':
      return `Create it ("create database ${database} owner ${user}"), or correct ${setting}.`;
    case '53300':
      return 'End some of its connections or raise its max_connections; DATABASE_POOL_MAX says how many Centavo takes.';
    case '57P03':
      return 'It is starting or stopping: start again in a moment.';
    case '42501':
      return remedyOfMissingRight(reason.message, place);
    default:
      return `Correct ${setting}, or what it names.`;
  }
}

/** Who owns a database may make what is missing in it, and yet not touch what another user has made there. */
function remedyOfMissingRight(message: string, { user, database }: Place): string {
  return /must be owner of|for (table|sequence|view|function|schema (?!public\b))/.test(message)
    ? `It belongs to another user: name that one in DATABASE_OWNER_URL, which applies migrations, or let an administrator ` +
        `run "reassign owned by OTHER to ${user}" in ${database}, where OTHER is that user.`
    : `Let an administrator run "alter database ${database} owner to ${user}", then start again.`;
}
