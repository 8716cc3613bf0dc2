import { DatabaseAway, isConnectionFailure, sqlStateOf } from './postgres-errors.js';

/**
 * Says in an operator's words why the PostgreSQL of DATABASE_URL could not be used, and what to do: host and port, never
 * the password. What is a fault of something else, as a changed migration is, is given back as it came. Pure.
 * @param failure what connecting or migrating threw
 */
export function explainRefusal(databaseUrl: string, failure: unknown): unknown {
  const place = placeOf(databaseUrl);
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
  readonly address: string;
  readonly user: string;
  readonly hasPassword: boolean;
  readonly database: string;
}

function placeOf(databaseUrl: string): Place {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const host = hostname || searchParams.get('host') || 'localhost';
  const user = decodeURIComponent(username) || searchParams.get('user') || '';
  return {
    address: `${host}:${port || searchParams.get('port') || 5432}`,
    user,
    hasPassword: (password || searchParams.get('password') || process.env.PGPASSWORD || '') !== '',
    database: decodeURIComponent(pathname.slice(1)) || user,
  };
}

/** No SQLSTATE: the socket or the driver gave up, before or after something answered. */
function unansweredText(reason: Error, place: Place): string {
  if (/client password must be/.test(reason.message)) return passwordMissing(place);
  const subject = `The PostgreSQL of DATABASE_URL at ${place.address}`;
  const { code } = reason as NodeJS.ErrnoException;
  if (/does not support SSL/.test(reason.message)) {
    return `${subject} offers no TLS. Switch it on there, or take sslmode out of DATABASE_URL.`;
  }
  if (/^E[A-Z]+$/.test(code ?? '')) {
    return `${subject} does not answer (${code}). Start it, correct DATABASE_URL, or unset it to use the embedded one.`;
  }
  return (
    `What is at ${place.address} does not answer as a PostgreSQL does (${reason.message}). ` +
    'Correct DATABASE_URL, or unset it to use the embedded one.'
  );
}

function refusedText({ reason, state, place }: { reason: Error; state: string; place: Place }): string {
  if (state === '28P01' && !place.hasPassword) return passwordMissing(place);
  return `The PostgreSQL of DATABASE_URL at ${place.address} refused: ${reason.message}. ${remedyOf({ reason, state, place })}`;
}

function passwordMissing({ user, address }: Place): string {
  const named = user === '' ? 'DATABASE_URL has no password' : `DATABASE_URL names user ${user} without a password`;
  return `${named}, and the PostgreSQL at ${address} asks for one. Put it into DATABASE_URL.`;
}

function remedyOf({ reason, state, place }: { reason: Error; state: string; place: Place }): string {
  const { user, database } = place;
  switch (state) {
    case '28P01':
      return 'Correct user and password in DATABASE_URL.';
    case '28000':
      return 'Correct the user in DATABASE_URL, or let it in (pg_hba.conf of that PostgreSQL).';
    case '3D000':
      return `Create it ("create database ${database} owner ${user}"), or correct DATABASE_URL.`;
    case '53300':
      return 'End some of its connections or raise its max_connections; DATABASE_POOL_MAX says how many Centavo takes.';
    case '57P03':
      return 'It is starting or stopping: start again in a moment.';
    case '42501':
      return remedyOfMissingRight(reason.message, place);
    default:
      return 'Correct DATABASE_URL, or what it names.';
  }
}

/** Who owns a database may make what is missing in it, and yet not touch what another user has made there. */
function remedyOfMissingRight(message: string, { user, database }: Place): string {
  return /must be owner of|for (table|sequence|view|function|schema (?!public\b))/.test(message)
    ? `It belongs to another user: name that one in DATABASE_URL, or let an administrator run "reassign owned by OTHER to ` +
        `${user}" in ${database}, where OTHER is that user.`
    : `Let an administrator run "alter database ${database} owner to ${user}", then start again.`;
}
