import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  ATTR_DB_NAMESPACE,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RecordedSpans, recordSpans } from '../../test-support/record-spans.js';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parentId}-01`;

const lines: string[] = [];
let spans: RecordedSpans;
let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string };

beforeAll(async () => {
  spans = recordSpans();
  server = await startTestServer({ onLog: (line) => lines.push(line) });
  user = await server.newUser();
  tracker = await server.newTracker(user);
});

beforeEach(() => {
  spans.clear();
  lines.length = 0;
});

afterAll(async () => {
  await server?.close();
  spans?.stop();
});

const readMovements = (headers: Record<string, string> = {}) =>
  server.call('listMovements', { token: user.token, tracker: tracker.id, headers });

/** Polls for a span, because the span ends shortly after the client has read the response. */
const spanNamed = (name: string) => expect.poll(() => spans.all().filter((span) => span.name === name)).toHaveLength(1);

it('the server names the span of a request after method and route, and sets the attributes of the OpenTelemetry conventions', async () => {
  await readMovements();
  await spanNamed('GET /v1/financial/movements');
  const span = spans.get('GET /v1/financial/movements');
  expect(span.kind).toBe(SpanKind.SERVER);
  expect(span.status.code).toBe(SpanStatusCode.UNSET);
  expect(span.attributes).toEqual({
    [ATTR_HTTP_REQUEST_METHOD]: 'GET',
    [ATTR_HTTP_ROUTE]: '/v1/financial/movements',
    [ATTR_URL_PATH]: '/v1/financial/movements',
    [ATTR_URL_SCHEME]: 'http',
    [ATTR_NETWORK_PROTOCOL_VERSION]: '1.1',
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: 200,
  });
});

it('the server makes the span of the transaction a child of the span of the request', async () => {
  const { hostname, port, pathname } = new URL(server.servingUrl);
  const database = pathname.slice(1);
  await readMovements();
  await spanNamed('GET /v1/financial/movements');
  const request = spans.get('GET /v1/financial/movements');
  const transaction = spans.get(`transaction ${database}`);
  expect(transaction.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
  expect(transaction.kind).toBe(SpanKind.CLIENT);
  expect(transaction.attributes).toEqual({
    [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL,
    [ATTR_DB_NAMESPACE]: database,
    [ATTR_DB_OPERATION_NAME]: 'transaction',
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: Number(port),
  });
});

it('the server continues the trace that the header traceparent names, and logs the trace id', async () => {
  await readMovements({ traceparent });
  await spanNamed('GET /v1/financial/movements');
  const span = spans.get('GET /v1/financial/movements');
  expect(span.spanContext().traceId).toBe(traceId);
  expect(span.parentSpanContext).toMatchObject({ spanId: parentId, isRemote: true });
  expect(spans.all().map((each) => each.spanContext().traceId)).toEqual(spans.all().map(() => traceId));
  const entry = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request');
  expect(entry).toMatchObject({ route: '/v1/financial/movements', trace_id: traceId });
});

it.each([
  'no traceparent',
  `00-${'0'.repeat(32)}-${parentId}-01`,
  `${traceparent}, 00-${'1'.repeat(32)}-${parentId}-01`,
])('the server begins a new trace when traceparent is invalid: %s', async (invalid) => {
  expect((await readMovements({ traceparent: invalid })).status).toBe(200);
  await spanNamed('GET /v1/financial/movements');
  const span = spans.get('GET /v1/financial/movements');
  expect(span.parentSpanContext).toBeUndefined();
  expect(span.spanContext().traceId).not.toBe(traceId);
});

it('the server logs the trace id of a refused request, and marks no span of the request as an error', async () => {
  await server.call('listMovements', { token: user.token, tracker: tracker.id, query: { from: 'yesterday' } });
  await spanNamed('GET /v1/financial/movements');
  const span = spans.get('GET /v1/financial/movements');
  expect(span.attributes[ATTR_HTTP_RESPONSE_STATUS_CODE]).toBe(400);
  expect(spans.all().map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET]);
  const refused = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'refused');
  expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', trace_id: span.spanContext().traceId });
});

it('the server records no raw path, query string, id, description, e-mail address, amount, password or secret in spans', async () => {
  const { data } = await server.call('createMovement', {
    token: user.token,
    tracker: tracker.id,
    body: { type: 'expense', amountDecimal: '4321.09', accountId: tracker.accountId, description: 'a private matter' },
  });
  await server.call('getMovement', { token: user.token, tracker: tracker.id, params: { movementId: data.id } });
  await readMovements({ 'User-Agent': 'a private browser', 'X-Forwarded-For': '203.0.113.7' });
  await server.call('createSession', { body: { email: user.email, password: 'not the password' } });
  await fetch(`${server.origin}/a/private/matter?secret=a-secret`);
  const responses = () => spans.all().filter(({ kind }) => kind === SpanKind.SERVER);
  await expect.poll(responses).toHaveLength(5);
  expect(responses().map(({ name }) => name)).toEqual([
    'POST /v1/financial/movements',
    'GET /v1/financial/movements/:movementId',
    'GET /v1/financial/movements',
    'POST /v1/identity/sessions',
    'GET',
  ]);
  const recorded = JSON.stringify(
    spans.all().map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links })),
  );
  for (const private_ of [
    data.id,
    tracker.id,
    tracker.accountId,
    user.userId,
    user.email,
    user.token,
    '4321',
    'not the password',
    'private',
    'a-secret',
    '203.0.113.7',
  ]) {
    expect(recorded).not.toContain(private_);
  }
});
