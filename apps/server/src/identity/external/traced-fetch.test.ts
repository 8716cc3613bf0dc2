import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RecordedSpans, recordSpans } from '../../../test-support/record-spans.js';
import { tracedFetch } from './traced-fetch.js';

const url = 'https://id.example.org/introspect?tenant=a-secret';

/** Sends a request to a server that responds with `respond`, and returns the headers that the server received. */
async function send(respond: () => Response): Promise<Headers> {
  let received = new Headers();
  const answering: typeof fetch = async (_url, init) => {
    received = new Headers(init?.headers);
    return respond();
  };
  await tracedFetch({ fetch: answering, url, init: { method: 'POST', headers: { Authorization: 'Basic a-secret' } } });
  return received;
}

// This test is first, because a tracer keeps the first SDK that it finds, even after the SDK was removed.
it('tracedFetch adds no header when no OpenTelemetry SDK is registered', async () => {
  const headers = await send(() => Response.json({}));
  expect([...headers.keys()]).toEqual(['authorization']);
});

describe('tracedFetch with an OpenTelemetry SDK', () => {
  let spans: RecordedSpans;
  beforeAll(() => {
    spans = recordSpans();
  });
  beforeEach(() => spans.clear());
  afterAll(() => spans.stop());

  it('records in its span the method, the server, the status, and the URL without its query', async () => {
    await send(() => Response.json({}));
    const span = spans.get('POST');
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toEqual({
      'http.request.method': 'POST',
      'url.full': 'https://id.example.org/introspect',
      'server.address': 'id.example.org',
      'server.port': 443,
      'http.response.status_code': 200,
    });
  });

  it('sends a traceparent header with the trace ID and the ID of its own span, and keeps the headers of the caller', async () => {
    const headers = await trace.getTracer('test').startActiveSpan('request', async (parent) => {
      const received = await send(() => Response.json({}));
      parent.end();
      return received;
    });
    const [parent, span] = [spans.get('request').spanContext(), spans.get('POST').spanContext()];
    expect(span.traceId).toBe(parent.traceId);
    expect(headers.get('traceparent')).toBe(`00-${parent.traceId}-${span.spanId}-01`);
    expect(headers.get('authorization')).toBe('Basic a-secret');
  });

  it.each([404, 503])('marks the span as an error when the status is %i', async (status) => {
    await send(() => new Response(null, { status }));
    const span = spans.get('POST');
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes).toMatchObject({ 'http.response.status_code': status, 'error.type': String(status) });
  });

  it('marks the span as an error, and does not record the error message, when the request fails', async () => {
    const failing = send(() => {
      throw new DOMException('a-secret', 'TimeoutError');
    });
    await expect(failing).rejects.toThrow('a-secret');
    const span = spans.get('POST');
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes['error.type']).toBe('TimeoutError');
    expect(JSON.stringify([span.attributes, span.events, span.status])).not.toContain('a-secret');
  });
});
