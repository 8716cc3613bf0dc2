import {
  type FinancialApiError,
  isAuthenticationError,
  isConnectionError,
  isFinancialApiError,
  isInvalidSecretError,
  isOutcomeUnknownError,
  isTimeoutError,
  isUsageError,
} from '@centavo/sdk';
import { CommanderError } from 'commander';
import {
  AdvisedError,
  ConflictError,
  InterruptedError,
  NotLoggedInError,
  UnknownNameError,
  UsageError,
} from './errors.js';

/** The exit codes, on which scripts rely. Source: docs/contract.md, section 11. */
export const exitCodes = {
  ok: 0,
  /** Includes an import in which some rows failed. */
  failure: 1,
  /** Includes a response with status 400, an ambiguous name, and a file that cannot be read. */
  usage: 2,
  authentication: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  rateLimited: 7,
  server: 8,
  /** Includes a write that may have been recorded although no valid response arrived. */
  network: 9,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Returns the exit code of an error; 1 for an unexpected error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof AdvisedError) return exitCodeOf(error.cause);
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof ConflictError) return exitCodes.conflict;
  if (error instanceof NotLoggedInError) return exitCodes.authentication;
  if (error instanceof UnknownNameError) return exitCodes.notFound;
  if (error instanceof InterruptedError) return exitCodes.interrupted;
  if (isInvalidSecretError(error)) return exitCodes.authentication;
  if (isUsageError(error)) return exitCodes.usage;
  if (isOutcomeUnknownError(error) || isConnectionError(error) || isTimeoutError(error)) return exitCodes.network;
  if (isAuthenticationError(error)) return exitCodes.authentication;
  if (isFinancialApiError(error)) return exitCodeOfResponse(error);
  return exitCodes.failure;
}

function exitCodeOfResponse({ code, status }: FinancialApiError): ExitCode {
  if (status >= 500) return exitCodes.server;
  // The response comes from a proxy or a captive portal. Even a status 404 does not mean that the record is absent.
  if (code === 'UNRECOGNIZED_ANSWER' && status !== 429) return exitCodes.network;
  return codesByStatus[status] ?? exitCodes.failure;
}

const codesByStatus: Readonly<Record<number, ExitCode>> = {
  400: exitCodes.usage,
  401: exitCodes.authentication,
  403: exitCodes.forbidden,
  404: exitCodes.notFound,
  408: exitCodes.network,
  409: exitCodes.conflict,
  413: exitCodes.usage,
  415: exitCodes.usage,
  429: exitCodes.rateLimited,
  431: exitCodes.usage,
};
