/** The connection was lost while COMMIT was under way: the transaction may or may not have happened. */
export class CommitOutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The outcome of a COMMIT is unknown', { cause });
    this.name = 'CommitOutcomeUnknown';
  }
}

/** No connection could be had, or for a write none but to a PostgreSQL that takes no writes: nothing was done. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('No database connection could be had', { cause });
    this.name = 'DatabaseAway';
  }
}

/** What was loaded changed before it could be written; the transaction rolled back and may be tried again. */
export class StaleFacts extends Error {
  constructor() {
    super('The facts of a decision changed before it was recorded');
    this.name = 'StaleFacts';
  }
}

/** The five-character SQLSTATE of an error that PostgreSQL itself reported. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  // EPIPE and EPERM of the operating system look alike; no SQLSTATE of PostgreSQL begins with an E.
  return typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : undefined;
}

// Shutdown and connection exceptions: PostgreSQL said a last word and hung up.
const connectionStates = /^(08...|57P0[1-5])$/;

// Names of errors that mean the socket, the driver's time limit or the pool gave up, rather than a bug of ours.
const connectionMessages =
  /Connection terminated|Connection ended|timeout exceeded|Timeout acquiring a connection|Client has encountered a connection error|not queryable|aborted/i;

/** Whether the database was away or the connection broke, as opposed to a statement it refused. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  const state = sqlStateOf(error);
  if (state !== undefined) return connectionStates.test(state) || isLostOnOtherMachine(state, error);
  if (!(error instanceof Error)) return false;
  const systemCode = (error as { code?: unknown; syscall?: unknown }).code;
  if (typeof systemCode === 'string' && /^E[A-Z]+$/.test(systemCode)) return true;
  return error.name === 'KnexTimeoutError' || connectionMessages.test(error.message);
}

// A coordinator of Citus that lost another machine while it committed there; whether that happened nobody knows.
const lostOnOtherMachine = /^could not commit transaction for shard |^failure on connection marked as essential/;

function isLostOnOtherMachine(state: string, error: unknown): boolean {
  return state === 'XX000' && lostOnOtherMachine.test((error as { message?: string }).message ?? '');
}

// serialization_failure, deadlock_detected, lock_not_available, query_canceled by a time limit, too_many_connections,
// cannot_connect_now; in each of them nothing was committed.
const repeatableStates = new Set(['40001', '40P01', '55P03', '57014', '53300', '57P03']);

/** Whether nothing was committed and the same transaction may succeed when it is run again. */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof StaleFacts || isPlanOutdated(error)) return true;
  if (error instanceof CommitOutcomeUnknown) return false;
  const state = sqlStateOf(error);
  return (state !== undefined && repeatableStates.has(state)) || isConnectionFailure(error);
}

// lock_not_available, query_canceled by a time limit.
const waitStates = new Set(['55P03', '57014']);

/** Whether somebody waited for what did not come: a lock, an answer, a connection. A deadlock is an answer. */
export function hasWaitedInVain(error: unknown): boolean {
  return waitStates.has(sqlStateOf(error) ?? '') || isConnectionFailure(error);
}

/** Whether a prepared statement gives other columns than when it was prepared: a migration came in between. */
export function isPlanOutdated(error: unknown): boolean {
  return sqlStateOf(error) === '0A000' && (error as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

// insufficient_resources, as disk_full is one, and io_error: PostgreSQL undid what it had begun.
const shortageStates = /^(53...|58030)$/;

/** Whether the fault lies with PostgreSQL's condition: nothing was committed, and the same may succeed at another time. */
export function isOutage(error: unknown): boolean {
  return isRepeatable(error) || shortageStates.test(sqlStateOf(error) ?? '');
}

/** Whether a write met a PostgreSQL that takes none: a standby, or a primary that was made one. */
export function isWithoutWrites(error: unknown): boolean {
  return sqlStateOf(error) === '25006';
}

/** Whether a prepared statement is not on the connection where it was prepared, or stands on one where it was not. */
export function isPreparedStatementLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '26000' || state === '42P05';
}

/** Whether a statement left a column without a value that must have one. */
export function violatesNotNull(error: unknown, column: string): boolean {
  if (sqlStateOf(error) !== '23502') return false;
  const { column: named, message = '' } = error as { column?: unknown; message?: string };
  return typeof named === 'string' ? named === column : quotedNames(message)[0] === column;
}

/**
 * The name of the constraint that a statement violated; errors are translated by it in the room of the resource. What happens
 * on another machine of a sharded database is told in the message alone, and with the number of the shard behind the name.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const state = sqlStateOf(error);
  if (state === undefined || !state.startsWith('23')) return undefined;
  const { constraint, message = '' } = error as { constraint?: unknown; message?: string };
  const name =
    typeof constraint === 'string' ? constraint : state === '23502' ? undefined : quotedNames(message).at(-1);
  return name?.replace(shardNumber, '');
}

// Shards are numbered from 102008 on, and no constraint of ours ends like that.
const shardNumber = /_\d{6,}$/;

// PostgreSQL puts the table before the constraint, and quotes as its language does.
function quotedNames(message: string): string[] {
  return [...message.matchAll(/["„«“]\s?(\w+)\s?["“»”]/g)].map(([, name]) => name ?? '');
}

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
