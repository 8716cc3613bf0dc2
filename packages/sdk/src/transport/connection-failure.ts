import { ConnectionError } from '../errors/transport-errors.js';
import { type Failure, failureWithoutAnswer } from './attempt-outcome.js';
import { redactToken } from './redact.js';

/**
 * Converts an error that `fetch` threw, or that occurred while the response was read, to the failure of the attempt. The failure contains
 * only the code and the redacted messages of the error and its causes, because the error may also contain the request with its headers.
 */
export function connectionFailure(
  thrown: unknown,
  token: string | null,
  { url, idempotencyKey }: { readonly url: string; readonly idempotencyKey: string | null },
): Failure {
  const chain = causesOf(thrown);
  const code = chain.map((link) => link.code).find((value) => typeof value === 'string');
  const reason = chain.map((link) => link.message).filter((text) => typeof text === 'string' && text !== '');
  const redacted = redactToken([...new Set(reason)].join(': '), token);
  const cause = Object.assign(new Error(redacted), code === undefined ? {} : { code });
  const neverSent = chain.some(isBeforeSending);
  const server = hostAndPort(url);
  const message = neverSent
    ? `The server at ${server} could not be reached`
    : `The connection to ${server} was lost before the whole response arrived`;
  const why = code ?? (chain.some(isBadPort) ? 'bad port' : undefined);
  const error = new ConnectionError({ message: `${message}${why ? ` (${why})` : ''}`, idempotencyKey, cause });
  return failureWithoutAnswer('connection', neverSent ? 'not-run' : 'unknown', error);
}

/** Returns the host and the port of a URL, such as `127.0.0.1:8080`. */
function hostAndPort(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
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

// If `fetch` tried several addresses, `errors` contains one error for each address.
function firstOf(errors: unknown): unknown {
  return Array.isArray(errors) ? errors[0] : undefined;
}

/** Error codes of Node, Bun and Deno for a connection that was not established. No byte of the request was sent. */
const beforeSending: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Error codes and messages of OpenSSL for a failed TLS handshake. Other errors of OpenSSL, such as a damaged record or a missing client
 * certificate, may also occur after the request was sent.
 */
const handshakeReason =
  /wrong.version.number|unsupported.protocol|handshake.failure|alert.protocol.version|unrecognized.name/i;

function isFailedHandshake({ code, message }: Link): boolean {
  const isOfTls = typeof code === 'string' && (code === 'EPROTO' || code.startsWith('ERR_SSL_'));
  return isOfTls && (handshakeReason.test(code) || handshakeReason.test(String(message)));
}

// The Fetch standard forbids the ports of other protocols, such as 25 (SMTP). For such a port, `fetch` throws an error without a code.
function isBadPort({ message }: Link): boolean {
  return message === 'bad port';
}

// `beforeSending` contains no codes such as ETIMEDOUT and ENETUNREACH, because they may also come from an established connection. But if
// the property `syscall` of such an error is `connect` or `getaddrinfo`, nothing was sent.
function isBeforeSending(link: Link): boolean {
  return (
    beforeSending.has(link.code) ||
    link.syscall === 'connect' ||
    link.syscall === 'getaddrinfo' ||
    isFailedHandshake(link) ||
    isBadPort(link)
  );
}
