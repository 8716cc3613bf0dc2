import { createHmac } from 'node:crypto';
import {
  toSignedText,
  webhookHeaderNames,
  webhookSecretPrefix,
  webhookSignaturePrefix,
} from '@centavo/contracts/calls';
import type { Io } from '../../io.js';

/** The response of the receiver, or the reason why there is none. */
export interface Delivery {
  /** The status of the response; null if there is none. */
  readonly status: number | null;
  /**
   * The reason why there is no response: `timeout`, an error code of the connection such as `ECONNREFUSED`, or
   * `connection failed`. Null if there is a response.
   */
  readonly error: string | null;
  readonly durationMs: number;
}

/** The URL of the receiver, the secret that signs the events, and access to the network, the clock and the Ctrl-C signal. */
export interface Receiver {
  readonly url: string;
  readonly secret: string;
  readonly io: Pick<Io, 'fetch' | 'clock' | 'interruption'>;
}

/** The maximum time to wait for the response. @source docs/webhooks.md, "The request" */
const timeoutMs = 15_000;

/**
 * Posts the body of a webhook once, with the headers that the server would send. Redirects are not followed.
 * @throws the reason of `io.interruption` after Ctrl-C
 */
export async function forward(event: { id: string; body: string }, { url, secret, io }: Receiver): Promise<Delivery> {
  const { clock, interruption } = io;
  const startedMs = clock.nowMs();
  const end = (result: Pick<Delivery, 'status' | 'error'>) => ({ ...result, durationMs: clock.nowMs() - startedMs });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await io.fetch(url, {
      method: 'POST',
      headers: headersOf(event, { secret, nowMs: startedMs }),
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.any([interruption, timeout]),
    });
    // The response body is not used, so the command does not wait for its end.
    response.body?.cancel().catch(() => {});
    return end({ status: response.status, error: null });
  } catch (error) {
    interruption.throwIfAborted();
    return end({ status: null, error: timeout.aborted ? 'timeout' : codeOf(error) });
  }
}

/** Returns the headers of a webhook. @source docs/webhooks.md, "The request" */
function headersOf(
  { id, body }: { id: string; body: string },
  { secret, nowMs }: { secret: string; nowMs: number },
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.slice(webhookSecretPrefix.length), 'base64');
  const signature = createHmac('sha256', key).update(toSignedText({ id, timestamp, body })).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Centavo-Webhooks/1',
    [webhookHeaderNames.id]: id,
    [webhookHeaderNames.timestamp]: timestamp,
    [webhookHeaderNames.signature]: `${webhookSignaturePrefix}${signature}`,
  };
}

/** Returns the error code of a failed connection, from the `cause` of the error that `fetch` throws. */
function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'connection failed';
}
