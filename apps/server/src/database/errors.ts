import { ApiError } from '../api-error.js';

/** The connection was lost during COMMIT: the transaction may or may not be committed. */
export class CommitOutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The outcome of a COMMIT is unknown', { cause });
    this.name = 'CommitOutcomeUnknown';
  }
}

/**
 * No usable connection: connecting failed, the pool timed out, or a write reached a read-only server. Also thrown if no time is left
 * to begin or commit a transaction. Nothing was committed.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('No usable database connection', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** Data changed after a transaction had read it and before the transaction wrote. The transaction was rolled back and can be retried. */
export class StaleRead extends Error {
  constructor() {
    super('Rows changed between the read of a transaction and its write');
    this.name = 'StaleRead';
  }
}

/** Returns the five-character SQLSTATE of an error that PostgreSQL reported, otherwise undefined. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  // The operating system's error codes EPIPE and EPERM have five letters too. No SQLSTATE of PostgreSQL begins with an E.
  return typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : undefined;
}

// Connection exceptions (class 08), and operator interventions: a shutdown, cannot_connect_now (57P03), a dropped database, a session
// that was idle too long. PostgreSQL reports them and closes the connection.
const connectionStates = /^(08...|57P0[1-5])$/;

// Error messages of the socket, the driver and the pool. Other errors that have neither a SQLSTATE nor a system error
// code are bugs of Centavo.
const connectionMessages =
  /Connection terminated|Connection ended|timeout exceeded|Timeout acquiring a connection|Client has encountered a connection error|not queryable|aborted/i;

/**
 * Returns true if there was no connection, the connection was lost, or Citus lost the connection to a worker. Returns false if
 * PostgreSQL refused the statement. Also returns false for CommitOutcomeUnknown, which `pool.ts` throws if the connection was lost during
 * the COMMIT of a write.
 */
export function isConnectionFailure(error: unknown): boolean {
  // The message of an ApiError may contain text from the client. This text could match `connectionMessages`.
  if (error instanceof ApiError) return false;
  if (error instanceof DatabaseUnavailable) return true;
  const state = sqlStateOf(error);
  if (state !== undefined) return connectionStates.test(state) || isWorkerLost(state, error);
  if (!(error instanceof Error)) return false;
  const systemCode = (error as { code?: unknown; syscall?: unknown }).code;
  if (typeof systemCode === 'string' && /^E[A-Z]+$/.test(systemCode)) return true;
  return error.name === 'KnexTimeoutError' || connectionMessages.test(error.message);
}

// Messages of a Citus coordinator that lost a worker. If this happens during COMMIT, the outcome is unknown.
const workerLost = /^could not commit transaction for shard |^failure on connection marked as essential/;

function isWorkerLost(state: string, error: unknown): boolean {
  return state === 'XX000' && workerLost.test((error as { message?: string }).message ?? '');
}

// serialization_failure, deadlock_detected, lock_not_available, query_canceled by a timeout, too_many_connections, and
// cannot_connect_now, which is also a connection failure. After each of these errors nothing was committed.
const retryableStates = new Set(['40001', '40P01', '55P03', '57014', '53300', '57P03']);

/**
 * Returns true if nothing was committed and a retry of the transaction may succeed. `error` must come from `pool.ts`, which throws
 * CommitOutcomeUnknown if the connection was lost during the COMMIT of a write. A transaction with `commitsWithLastRead` is an exception:
 * if its connection was lost during COMMIT, this function returns true, although the transaction may have been committed. The retry does
 * no harm, because the option is only for transactions that may take effect twice.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof StaleRead || isPlanOutdated(error)) return true;
  if (error instanceof CommitOutcomeUnknown) return false;
  const state = sqlStateOf(error);
  return (state !== undefined && retryableStates.has(state)) || isConnectionFailure(error);
}

// lock_not_available, query_canceled by a timeout.
const timeoutStates = new Set(['55P03', '57014']);

/**
 * Returns true if a lock, a statement or a connection timed out, or if the connection failed. A deadlock does not count, because
 * it is not a timeout: PostgreSQL normally reports it after one second, before any timeout expires.
 */
export function hasTimedOutOrDisconnected(error: unknown): boolean {
  return timeoutStates.has(sqlStateOf(error) ?? '') || isConnectionFailure(error);
}

/** Returns true if a migration changed the result columns of a statement after the statement was prepared. */
export function isPlanOutdated(error: unknown): boolean {
  return sqlStateOf(error) === '0A000' && (error as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

// Class 53 (insufficient_resources, such as disk_full), and io_error (58030). PostgreSQL rolls back the transaction after each of them.
const shortageStates = /^(53...|58030)$/;

/**
 * Returns true if the error counts as an outage: no write was committed, and the client receives SERVICE_UNAVAILABLE (503). Every
 * retryable error counts, for example a deadlock. An I/O error of PostgreSQL and a lack of a resource, such as disk space, count too: a
 * later retry may succeed.
 * Returns false for CommitOutcomeUnknown, which the callers convert to a 503 themselves.
 */
export function isOutage(error: unknown): boolean {
  return isRetryable(error) || shortageStates.test(sqlStateOf(error) ?? '');
}

/** Returns true if PostgreSQL refused a write because the transaction is read-only, as every transaction on a standby is. */
export function isReadOnlyServer(error: unknown): boolean {
  return sqlStateOf(error) === '25006';
}

/** Returns true if a prepared statement is missing or already exists, because a pooler switched to another connection to PostgreSQL. */
export function isPreparedStatementLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '26000' || state === '42P05';
}

/** Returns true if a statement violated the NOT NULL constraint of `column`. */
export function violatesNotNull(error: unknown, column: string): boolean {
  if (sqlStateOf(error) !== '23502') return false;
  const { column: named, message = '' } = error as { column?: unknown; message?: string };
  return typeof named === 'string' ? named === column : quotedNames(message)[0] === column;
}

/**
 * Returns the name of the violated constraint, or undefined if the error names no constraint. If the error comes from a Citus worker,
 * only the message contains the name, followed by the number of the shard.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const state = sqlStateOf(error);
  if (state === undefined || !state.startsWith('23')) return undefined;
  const { constraint, message = '' } = error as { constraint?: unknown; message?: string };
  const name =
    typeof constraint === 'string' ? constraint : state === '23502' ? undefined : quotedNames(message).at(-1);
  return name?.replace(shardNumber, '');
}

// Citus numbers shards from 102008. No constraint of Centavo ends in six digits.
const shardNumber = /_\d{6,}$/;

// Messages of PostgreSQL quote a column before its table, and a constraint after its table. The quotation marks depend on the language of
// the messages.
function quotedNames(message: string): string[] {
  return [...message.matchAll(/["„«“]\s?(\w+)\s?["“»”]/g)].map(([, name]) => name ?? '');
}

/**
 * Returns an error that explains to an operator why a PostgreSQL server cannot be used and what to do. Its message may contain the host
 * and the port, but never the password. Returns `failure` unchanged if it has another reason, for example a changed migration.
 * @param setting the URL, and the name of the variable that contains it, such as DATABASE_URL
 * @param failure the error of connecting or migrating
 */
export function explainDatabaseFailure(
  setting: { readonly name: string; readonly url: string },
  failure: unknown,
): unknown {
  const location = locationOf(setting);
  const reason = failure instanceof DatabaseUnavailable ? failure.cause : failure;
  if (!(reason instanceof Error)) return failure;
  const state = sqlStateOf(reason);
  if (state !== undefined) return new Error(refusalText({ reason, state, location }), { cause: failure });
  // A migration failed. The message of `reason` already names it.
  if (sqlStateOf(reason.cause) === '42501') {
    return new Error(`${reason.message} ${remedyOfMissingPrivilege(reason.message, location)}`, { cause: failure });
  }
  const isConnectionFault = failure instanceof DatabaseUnavailable || isConnectionFailure(reason);
  return isConnectionFault ? new Error(connectionText(reason, location), { cause: failure }) : failure;
}

interface Location {
  readonly setting: string;
  readonly address: string;
  readonly user: string;
  readonly hasPassword: boolean;
  readonly database: string;
}

function locationOf({ name: setting, url }: { readonly name: string; readonly url: string }): Location {
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

/** Explains an error without a SQLSTATE: the socket or the driver failed. */
function connectionText(reason: Error, location: Location): string {
  if (/client password must be/.test(reason.message)) return passwordMissing(location);
  const subject = `The PostgreSQL of ${location.setting} at ${location.address}`;
  const { code } = reason as NodeJS.ErrnoException;
  if (/does not support SSL/.test(reason.message)) {
    return `${subject} does not offer TLS. Enable TLS there, or remove sslmode from ${location.setting}.`;
  }
  if (/^E[A-Z]+$/.test(code ?? '')) {
    return (
      `${subject} does not answer (${code}). Start that PostgreSQL, correct ${location.setting}, ` +
      `or ${unsetRemedy(location)}.`
    );
  }
  return (
    `The server at ${location.address} does not answer like PostgreSQL (${reason.message}). ` +
    `Correct ${location.setting}, or ${unsetRemedy(location)}.`
  );
}

function unsetRemedy({ setting }: Location): string {
  const otherwise = setting === 'DATABASE_URL' ? 'the embedded PostgreSQL' : 'DATABASE_URL';
  return `unset ${setting} to use ${otherwise}`;
}

function refusalText({ reason, state, location }: { reason: Error; state: string; location: Location }): string {
  if (state === '28P01' && !location.hasPassword) return passwordMissing(location);
  return `The PostgreSQL of ${location.setting} at ${location.address} refused: ${reason.message}. ${remedyOf({ reason, state, location })}`;
}

function passwordMissing({ setting, user, address }: Location): string {
  const problem = user === '' ? `${setting} has no password` : `${setting} has the user ${user} without a password`;
  return `${problem}, and the PostgreSQL at ${address} requires one. Add it to ${setting}.`;
}

function remedyOf({ reason, state, location }: { reason: Error; state: string; location: Location }): string {
  const { setting, user, database } = location;
  switch (state) {
    case '28P01':
      return `Correct user and password in ${setting}.`;
    case '28000':
      return `Correct the user in ${setting}, or allow it in pg_hba.conf of that PostgreSQL.`;
    case '3D000':
      return `Create it ("create database ${database} owner ${user}"), or correct ${setting}.`;
    case '53300':
      return 'Close some connections, raise its max_connections, or lower DATABASE_POOL_MAX.';
    case '57P03':
      return 'It is starting or stopping. Start Centavo again in a moment.';
    case '42501':
      return remedyOfMissingPrivilege(reason.message, location);
    default:
      return `Correct ${setting} or the configuration of that PostgreSQL.`;
  }
}

/**
 * Returns what to do if the role lacks a privilege. If PostgreSQL refused access to an existing object, another user owns that object. If
 * PostgreSQL refused to create an object, the role must own the database, because the owner may create objects in it.
 */
function remedyOfMissingPrivilege(message: string, { user, database }: Location): string {
  return /must be owner of|for (table|sequence|view|function|schema (?!public\b))/.test(message)
    ? `It belongs to another user. Set DATABASE_OWNER_URL to a URL with the login of that user, or let an administrator ` +
        `run "reassign owned by OTHER to ${user}" in ${database}. Replace OTHER with the name of that user.`
    : `Let an administrator run "alter database ${database} owner to ${user}", then start Centavo again.`;
}
