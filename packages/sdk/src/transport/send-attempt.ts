import { headerNames } from '@centavo/contracts/calls';
import { type AttemptOutcome, failureWithoutAnswer } from './attempt-outcome.js';
import { bearerToken } from './bearer-token.js';
import type { BuiltRequest } from './build-request.js';
import { connectionFailure } from './connection-failure.js';
import { untilAborted } from './deadline.js';
import { notify } from './notify.js';
import { type ReadAnswer, readResponse } from './read-response.js';
import { redactCredentials } from './redact.js';
import type { Transport } from './transport.js';

/**
 * Sends a request once and reads the whole response. If the attempt fails, returns the failure with its effect on the server. Throws
 * only if `checkData` throws.
 * @param options.attempt 1 for the first attempt
 */
export async function sendAttempt<Data>(
  transport: Transport,
  request: BuiltRequest,
  { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal },
): Promise<AttemptOutcome<Data>> {
  const { clock } = transport;
  let token: string | null = null;
  try {
    signal.throwIfAborted();
    if (request.carriesToken) token = await untilAborted(bearerToken(transport.token), signal);
    signal.throwIfAborted();
  } catch (error) {
    return failureWithoutAnswer('stopped', 'not-run', error);
  }
  const { call, method, url, idempotencyKey } = request;
  const headers = token === null ? request.headers : { ...request.headers, authorization: `Bearer ${token}` };
  const shown = redactCredentials(headers);
  notify(transport.hooks.onRequest, { call, method, url, headers: shown, attempt, idempotencyKey });
  const startedMs = clock.elapsedMs();
  let answer: ReadAnswer;
  try {
    answer = await untilAborted(exchange(transport, request, { headers, signal }), signal);
  } catch (error) {
    if (signal.aborted) return failureWithoutAnswer('stopped', 'unknown', signal.reason);
    return connectionFailure(error, token, { url, idempotencyKey });
  }
  const { status } = answer;
  transport.readPosition.update(answer.headers);
  const requestId = answer.headers.get(headerNames.requestId);
  const durationMs = clock.elapsedMs() - startedMs;
  notify(transport.hooks.onResponse, { call, method, url, attempt, status, requestId, durationMs });
  return readResponse<Data>(request, answer, { token, nowMs: clock.nowMs(), checkData: transport.checkData });
}

async function exchange(
  transport: Transport,
  request: BuiltRequest,
  { headers, signal }: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<ReadAnswer> {
  const response = await transport.fetch(request.url, {
    method: request.method,
    headers,
    redirect: 'manual',
    signal,
    ...(request.body === undefined ? {} : { body: bodyOf(request, request.body) }),
  });
  return { status: response.status, headers: response.headers, text: await readText(response) };
}

/**
 * The maximum size of a response, in bytes. The longest responses of this API, such as thousands of balances, have less than a third of
 * this size.
 */
const answerBytesMax = 16 * 1024 * 1024;

/** Returns the body as text, or null if it is longer than `answerBytesMax`. */
async function readText(response: Response): Promise<string | null> {
  // Some runtimes and some replacements of `fetch` provide no stream. The length is then not checked.
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.byteLength;
    if (bytes > answerBytesMax) {
      // Discards the rest of the body. An error of the cancellation is ignored.
      reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Returns the body of a request. When a reused connection breaks, Deno sends a request again if its body is a string. A write without
 * an idempotency key could then run twice, so its body is a Blob: Deno sends a request with a Blob only once.
 */
function bodyOf({ callKind }: BuiltRequest, text: string): string | Blob {
  return callKind === 'unkeyed-write' ? new Blob([text]) : text;
}
