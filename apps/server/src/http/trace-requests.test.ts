import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, isSpanContextValid, SpanStatusCode, trace } from '@opentelemetry/api';
import express from 'express';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RecordedSpans, recordSpans } from '../../test-support/record-spans.js';
import { traceRequests } from './trace-requests.js';

let close: (() => Promise<void>) | undefined;

afterEach(() => close?.());

/** Serves one path, `/things/:id`, and returns its URL. */
async function serve(handler: express.RequestHandler): Promise<string> {
  const app = express();
  app.use(traceRequests);
  app.all('/things/:id', handler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/things/7`;
}

// This test is first, because a tracer always uses the first SDK that it finds.
it('traceRequests sets no trace id when no SDK is registered', async () => {
  let locals: Record<string, unknown> = { traceId: 'not read' };
  const url = await serve((_request, response) => {
    locals = response.locals;
    response.end();
  });
  expect((await fetch(url, { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } })).status).toBe(
    200,
  );
  expect(locals).not.toHaveProperty('traceId');
  expect(isSpanContextValid(trace.getTracer('any').startSpan('any').spanContext())).toBe(false);
});

describe('traceRequests with an OpenTelemetry SDK', () => {
  let spans: RecordedSpans;
  beforeAll(() => {
    spans = recordSpans();
  });
  beforeEach(() => spans.clear());
  afterAll(() => spans.stop());

  it.each([500, 503])('marks the span as an error when the status is %i', async (status) => {
    const url = await serve((_request, response) => void response.sendStatus(status));
    await fetch(url);
    await expect.poll(() => spans.all()).toHaveLength(1);
    const span = spans.get('GET /things/:id');
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes).toMatchObject({ 'http.response.status_code': status, 'error.type': String(status) });
  });

  it('marks the span as an error and records no status when the client disconnects before the response', async () => {
    const url = await serve(() => client.destroy());
    const client = sendRequest(url);
    client.on('error', () => {});
    client.end();
    await expect.poll(() => spans.all()).toHaveLength(1);
    const span = spans.get('GET /things/:id');
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes).toMatchObject({ 'error.type': 'aborted' });
    expect(span.attributes).not.toHaveProperty('http.response.status_code');
  });

  it('records the method PROPFIND as _OTHER', async () => {
    const url = await serve((_request, response) => void response.end());
    const client = sendRequest(url, { method: 'PROPFIND' });
    client.end();
    const [response] = await once(client, 'response');
    response.resume();
    await expect.poll(() => spans.all()).toHaveLength(1);
    expect(spans.get('HTTP /things/:id').attributes['http.request.method']).toBe('_OTHER');
  });

  it('runs the handler inside the span', async () => {
    let activeId: string | undefined;
    const url = await serve(async (_request, response) => {
      await Promise.resolve();
      activeId = trace.getSpanContext(context.active())?.spanId;
      response.end();
    });
    await fetch(url);
    await expect.poll(() => spans.all()).toHaveLength(1);
    expect(activeId).toBe(spans.all()[0]?.spanContext().spanId);
  });
});
