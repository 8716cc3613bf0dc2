import { type ErrorCode, headerNames } from '@centavo/contracts/calls';
import { RateLimitError, ServerError } from './capacity-errors.js';
import { IdempotencyConflictError, StateConflictError, VersionConflictError } from './conflict-errors.js';
import { type ApiErrorFields, FinancialApiError } from './financial-api-error.js';
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
  StepUpRequiredError,
  ValidationError,
} from './refusal-errors.js';

type ErrorClass = new (fields: ApiErrorFields) => FinancialApiError;

/** Codes whose meaning is narrower than their status. */
const classOfCode: Partial<Record<ErrorCode, ErrorClass>> = {
  STEP_UP_REQUIRED: StepUpRequiredError,
  VERSION_CONFLICT: VersionConflictError,
  IDEMPOTENCY_KEY_REUSED: IdempotencyConflictError,
  IDEMPOTENCY_IN_PROGRESS: IdempotencyConflictError,
  STATE_CONFLICT: StateConflictError,
};

/** By status, for a code that a newer server has added. */
const classOfStatus: Readonly<Record<number, ErrorClass>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
};

/** An answer that is not a success, as it came. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, with the token struck out wherever it is echoed. */
  readonly text: string;
  /** Whether the request carried one. */
  readonly hasToken: boolean;
  readonly idempotencyKey: string | null;
  /** What the answer's Retry-After asks for, in milliseconds; null if it does not say. */
  readonly retryAfterMs: number | null;
}

/**
 * Returns the typed error of an answer: by its code if that is known, else by its status. An answer that is not an error of
 * this API means no more than "later" or "in trouble": a portal's 404 does not say that a record is absent.
 */
export function errorOfAnswer(answer: ErrorAnswer): FinancialApiError {
  const { status, headers, idempotencyKey, retryAfterMs } = answer;
  const told = parseEnvelope(answer.text);
  const code = told?.code ?? (status === 304 ? 'NOT_MODIFIED' : 'UNRECOGNIZED_ANSWER');
  const ErrorClass = (told === null ? undefined : classOf(code, status)) ?? classOfCapacity(status);
  return new ErrorClass({
    message: messageOf(answer, told),
    code,
    status,
    requestId: told?.requestId ?? headers.get(headerNames.requestId),
    details: told?.details ?? {},
    headers,
    idempotencyKey,
    retryAfterMs,
  });
}

function classOf(code: string, status: number): ErrorClass | undefined {
  // A code such as "constructor" is a property of every object.
  return (Object.hasOwn(classOfCode, code) ? classOfCode[code as ErrorCode] : undefined) ?? classOfStatus[status];
}

function classOfCapacity(status: number): ErrorClass {
  if (status === 429) return RateLimitError;
  return status >= 500 ? ServerError : FinancialApiError;
}

function messageOf({ status, hasToken }: ErrorAnswer, told: Told | null): string {
  if (told === null) return `The answer has status ${status} and no error of this API`;
  // The server speaks of a header, which is the client's to send.
  if (told.code === 'UNAUTHENTICATED' && !hasToken) {
    return 'This call needs a token and the client has none. Give it one: new FinancialClient({ token })';
  }
  return told.message;
}

type Told = Pick<ApiErrorFields, 'code' | 'message' | 'requestId' | 'details'>;

function parseEnvelope(text: string): Told | null {
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
