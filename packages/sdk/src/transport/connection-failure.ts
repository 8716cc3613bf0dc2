import { ConnectionError } from '../errors/transport-errors.js';
import { type Failure, failureWithoutAnswer } from './attempt-outcome.js';
import { strikeToken } from './strike-token.js';

/**
 * The failure of an attempt that fetch has thrown out of. Its error is told by code and message only, with the token struck
 * out: what a transport throws may carry the request, headers included.
 */
export function connectionFailure(thrown: unknown, token: string | null, idempotencyKey: string | null): Failure {
  const chain = causesOf(thrown);
  const code = chain.map((link) => link.code).find((value) => typeof value === 'string');
  const reason = chain.map((link) => link.message).filter((text) => typeof text === 'string' && text !== '');
  const told = strikeToken([...new Set(reason)].join(': '), token);
  const cause = Object.assign(new Error(told), code === undefined ? {} : { code });
  const neverSent = chain.some(isBeforeSending);
  const message = neverSent ? 'The server could not be reached' : 'The connection was lost before an answer came';
  const error = new ConnectionError({ message: `${message}${code ? ` (${code})` : ''}`, idempotencyKey, cause });
  return failureWithoutAnswer('connection', neverSent ? 'not-run' : 'unknown', error);
}

interface Link {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

function causesOf(thrown: unknown): readonly Link[] {
  const chain: Link[] = [];
  for (let link = thrown; isLink(link) && chain.length < 5; link = link.cause ?? firstOf(link.errors)) chain.push(link);
  return chain;
}

function isLink(value: unknown): value is Link {
  return typeof value === 'object' && value !== null;
}

// An attempt at several addresses fails with one error for each.
function firstOf(errors: unknown): unknown {
  return Array.isArray(errors) ? errors[0] : undefined;
}

/** Codes that say, in Node, Bun or Deno, that no connection came about, so that not a byte of the request was sent. */
const beforeSending: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

// A time-out or an unreachable network may also end an open connection, so those count only where connecting failed.
function isBeforeSending(link: Link): boolean {
  return beforeSending.has(link.code) || link.syscall === 'connect' || link.syscall === 'getaddrinfo';
}
