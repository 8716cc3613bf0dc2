import type { ApiResponse } from '../answers/api-response.js';
import { type BuiltRequest, buildRequest } from './build-request.js';
import type { CallRequest } from './call-request.js';
import { type Deadline, pause, startDeadline } from './deadline.js';
import { finalError } from './final-error.js';
import { notify } from './notify.js';
import { requireLimits } from './require-limits.js';
import { decideRetry } from './retry-decision.js';
import { sendAttempt } from './send-attempt.js';
import type { Transport } from './transport.js';

/**
 * Makes one call. All its attempts have the same body, idempotency key and deadline. Retries a failed attempt if a retry is safe, and if
 * the limits of the call and the retry budget allow it.
 * @throws UsageError for an invalid id, idempotency key, header or limit
 * @throws ServerError, IdempotencyConflictError or OutcomeUnknownError if a write may have taken effect
 * @throws the reason of `signal` if the caller aborted a read, or a write that had no effect
 * @throws the error of the last attempt in all other cases
 */
export async function sendRequest<Data>(transport: Transport, call: CallRequest): Promise<ApiResponse<Data>> {
  const request = buildRequest(transport, call);
  const { timeoutMs, maxRetries } = limitsOf(transport, call);
  const { idempotencyKey } = request;
  const deadline = startDeadline({ clock: transport.clock, timeoutMs, signal: call.options?.signal, idempotencyKey });
  try {
    return await attemptUntilSettled<Data>(transport, request, { deadline, maxRetries });
  } finally {
    deadline.stop();
  }
}

async function attemptUntilSettled<Data>(
  transport: Transport,
  request: BuiltRequest,
  { deadline, maxRetries }: { readonly deadline: Deadline; readonly maxRetries: number },
): Promise<ApiResponse<Data>> {
  const { callKind, idempotencyKey } = request;
  const { clock, hooks, random, retryAfterMsMax, retryBudget } = transport;
  let earlierUnknown = false;
  for (let retriesMade = 0; ; retriesMade += 1) {
    const attempt = retriesMade + 1;
    const outcome = await sendAttempt<Data>(transport, request, { attempt, signal: deadline.signal });
    if (outcome.kind === 'success') {
      retryBudget.addSuccess();
      return outcome.response;
    }
    const msLeft = deadline.msLeft();
    const decision = decideRetry({
      callKind,
      failure: outcome,
      retriesMade,
      maxRetries,
      msLeft,
      retryAfterMsMax,
      random,
    });
    if (!decision.retry || (decision.drawsOnBudget && !retryBudget.take())) {
      throw finalError({ callKind, failure: outcome, earlierUnknown, idempotencyKey });
    }
    if (outcome.effect === 'unknown') earlierUnknown = true;
    const { status, code } = outcome;
    notify(hooks.onRetry, { call: request.call, attempt, delayMs: decision.delayMs, status, code, idempotencyKey });
    // An abort during the wait is ignored here, because the next attempt checks the signal before it sends anything.
    await pause(clock, decision.delayMs, deadline.signal).catch(() => {});
  }
}

function limitsOf(transport: Transport, { options = {} }: CallRequest) {
  const { timeoutMs = transport.timeoutMs, maxRetries = transport.maxRetries } = options;
  requireLimits({ timeoutMs, maxRetries });
  return { timeoutMs, maxRetries };
}
