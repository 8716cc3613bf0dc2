import { type ErrorCode, headerNames } from '@centavo/contracts/calls';
import { RateLimitError, ServerError } from './capacity-errors.js';
import {
  CursorDivergedError,
  CursorExpiredError,
  IdempotencyConflictError,
  StateConflictError,
  VersionConflictError,
} from './conflict-errors.js';
import { type ApiErrorFields, FinancialApiError } from './financial-api-error.js';
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
  StepUpRequiredError,
  ValidationError,
} from './refusal-errors.js';

type ErrorClass = new (fields: ApiErrorFields) => FinancialApiError;

/** The error classes by error code, for codes with a more specific class than the class of their HTTP status. */
const classOfCode: Partial<Record<ErrorCode, ErrorClass>> = {
  STEP_UP_REQUIRED: StepUpRequiredError,
  VERSION_CONFLICT: VersionConflictError,
  IDEMPOTENCY_KEY_REUSED: IdempotencyConflictError,
  IDEMPOTENCY_IN_PROGRESS: IdempotencyConflictError,
  STATE_CONFLICT: StateConflictError,
};

/** The error classes by `details.reason`, for reasons with a more specific class than the class of their error code. */
const classOfReason: Readonly<Record<string, ErrorClass>> = {
  cursor_diverged: CursorDivergedError,
  cursor_expired: CursorExpiredError,
};

/**
 * The error classes by HTTP status, for all other error codes, including codes that a newer server has added. `fallbackClassOf` adds the
 * classes for 429 and 5xx.
 */
const classOfStatus: Readonly<Record<number, ErrorClass>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
};

/** A response that is not successful. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, with the token redacted. */
  readonly text: string;
  /** True if the request had a token. */
  readonly hasToken: boolean;
  readonly idempotencyKey: string | null;
  /** The wait from the header Retry-After, in milliseconds; null if the response has no valid Retry-After. */
  readonly retryAfterMs: number | null;
}

/**
 * Returns the typed error for a response. If the response has the error format of this API, the error gets the first of these classes
 * that exists: the class for its reason, the class for its code, the class for its status, FinancialApiError. For an error response of
 * another program, such as a proxy, the class is RateLimitError (429), ServerError (5xx) or FinancialApiError (any other status). It is not
 * NotFoundError for a 404, because a 404 of a proxy does not mean that a record is absent.
 */
export function errorOfAnswer(answer: ErrorAnswer): FinancialApiError {
  const { status, headers, idempotencyKey, retryAfterMs } = answer;
  const envelope = parseEnvelope(answer.text);
  const code = envelope?.code ?? (status === 304 ? 'NOT_MODIFIED' : 'UNRECOGNIZED_ANSWER');
  const ErrorClass = (envelope === null ? undefined : classOf(envelope, status)) ?? fallbackClassOf(status);
  return new ErrorClass({
    message: messageOf(answer, envelope),
    code,
    status,
    requestId: envelope?.requestId ?? headers.get(headerNames.requestId),
    details: envelope?.details ?? {},
    headers,
    idempotencyKey,
    retryAfterMs,
  });
}

function classOf({ code, details }: ErrorEnvelope, status: number): ErrorClass | undefined {
  const reason = String(details.reason);
  if (code === 'STATE_CONFLICT' && Object.hasOwn(classOfReason, reason)) return classOfReason[reason];
  // Reads only own properties: every object inherits the property "constructor", for example, and a response could have this code.
  return (Object.hasOwn(classOfCode, code) ? classOfCode[code as ErrorCode] : undefined) ?? classOfStatus[status];
}

/** Returns the class for a status that `classOfStatus` does not list, and for a response that is not in the error format of this API. */
function fallbackClassOf(status: number): ErrorClass {
  if (status === 429) return RateLimitError;
  return status >= 500 ? ServerError : FinancialApiError;
}

function messageOf({ status, hasToken }: ErrorAnswer, envelope: ErrorEnvelope | null): string {
  if (envelope === null) return `The response with status ${status} does not have the error format of this API`;
  // The server's message says which header to send, but a user of the client sets the option `token` instead.
  if (envelope.code === 'UNAUTHENTICATED' && !hasToken) {
    return 'This call needs a token. Set one: new FinancialClient({ token })';
  }
  return envelope.message;
}

type ErrorEnvelope = Pick<ApiErrorFields, 'code' | 'message' | 'requestId' | 'details'>;

function parseEnvelope(text: string): ErrorEnvelope | null {
  try {
    const { error, meta } = JSON.parse(text) as { error: Record<string, unknown>; meta?: Record<string, unknown> };
    const { code, message, details } = error;
    if (typeof code !== 'string' || typeof message !== 'string') return null;
    const requestId = meta?.requestId;
    return {
      code,
      message,
      requestId: typeof requestId === 'string' ? requestId : null,
      details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {},
    };
  } catch {
    return null;
  }
}
