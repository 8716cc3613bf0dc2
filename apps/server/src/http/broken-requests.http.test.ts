import { errorEnvelope } from '@centavo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRawHttp } from '../../test-support/send-raw-http.js';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
  await server.newTracker(user);
});

afterAll(() => server.close());

const sendRaw = (text: string, options?: { thenEnd: boolean }) => sendRawHttp(server.origin, text, options);

const newCategory = (framing: string, body: string) =>
  `POST /v1/financial/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\n` +
  `Content-Type: application/json\r\n${framing}\r\n\r\n${body}`;

/** Returns a complete request that creates a category. If the category exists later, the server executed the request. */
const wholeCategory = (name: string) => {
  const body = JSON.stringify({ name });
  return newCategory(`Content-Length: ${body.length}`, body);
};

async function namesOfCategories(): Promise<string[]> {
  const { data } = await server.call('listCategories', { token: user.token });
  return data.map(({ name }) => name);
}

/** Returns the number of requests in progress, without the request that reads the metrics. */
async function underWay(at = server): Promise<number> {
  const text = await (await fetch(`${at.origin}/metrics`)).text();
  return Number(/^centavo_http_requests_under_way (\d+)$/m.exec(text)?.[1]) - 1;
}

function expectEnvelope(text: string, code: string): void {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const { error, meta } = errorEnvelope.parse(JSON.parse(body));
  expect(error.code).toBe(code);
  expect(head).toContain(`X-Request-Id: ${meta.requestId}`);
  expect(head).toContain('Connection: close');
}

describe('a malformed or incomplete body', () => {
  it.each([
    ['garbage in a chunk size', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['garbage after a valid chunk', '10\r\n{"name":"ghost"}\r\nQQ\r\n'],
    ['garbage at the end of a chunk', '10\r\n{"name":"ghost"}X\r\n0\r\n\r\n'],
    // @proves contract 10a: Smaller
  ])('with %s is refused with 400, and changes nothing', async (_, body) => {
    const { text, statuses } = await sendRaw(newCategory('Transfer-Encoding: chunked', body));
    expect(statuses).toEqual([400]);
    expectEnvelope(text, 'VALIDATION_ERROR');
    expect(await namesOfCategories()).not.toContain('ghost');
    expect(await underWay()).toBe(0);
  });

  // @proves contract 5: 408
  it('is refused with 408 if the client closes its sending side early, and changes nothing although the received part is valid JSON', async () => {
    const broken = newCategory('Content-Length: 50', '{"name":"ghost"}');
    const { text, statuses } = await sendRaw(broken, { thenEnd: true });
    expect(statuses).toEqual([408]);
    expectEnvelope(text, 'REQUEST_TIMEOUT');
    expect(await namesOfCategories()).not.toContain('ghost');
    expect(await underWay()).toBe(0);
  });

  it('does not prevent the response to a valid request sent earlier on the connection', async () => {
    const broken = newCategory('Transfer-Encoding: chunked', 'zz\r\n');
    expect((await sendRaw(wholeCategory('before a broken one') + broken)).statuses).toEqual([201, 400]);
    expect(await namesOfCategories()).toContain('before a broken one');
  });

  it('is not counted as a request in progress after its refusal, even if it is sent 300 times at once', async () => {
    const broken = newCategory('Content-Length: 50', '{"na');
    const all = await Promise.all(Array.from({ length: 300 }, () => sendRaw(broken, { thenEnd: true })));
    expect(new Set(all.flatMap(({ statuses }) => statuses))).toEqual(new Set([408]));
    expect(await underWay()).toBe(0);
  });
});

describe('a late body', () => {
  it.each([
    ['a body that never starts', ''],
    ['a body that stops in the middle', '{"na'],
    // @proves contract 10a: Smaller
  ])('is refused with 408 after the time limit: %s', async (_, body) => {
    const connectionLimits = { headMsMax: 100, wholeMsMax: 100, checkEveryMs: 20 };
    const serverWithShortLimits = await startTestServer({ connectionLimits });
    try {
      const request = `POST /v1/identity/users HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n${body}`;
      const { text, statuses } = await sendRawHttp(serverWithShortLimits.origin, request);
      expect(statuses).toEqual([408]);
      expectEnvelope(text, 'REQUEST_TIMEOUT');
      expect(await underWay(serverWithShortLimits)).toBe(0);
    } finally {
      await serverWithShortLimits.close();
    }
  });
});

describe('a client that closes its sending side', () => {
  it('receives the response to a complete request', async () => {
    const { text, statuses } = await sendRaw(wholeCategory('then no more'), { thenEnd: true });
    expect(statuses).toEqual([201]);
    expect(text).toContain('"name":"then no more"');
    expect(await underWay()).toBe(0);
  });

  it('receives the responses to all pipelined requests', async () => {
    const all = wholeCategory('one of two') + wholeCategory('two of two');
    expect((await sendRaw(all, { thenEnd: true })).statuses).toEqual([201, 201]);
  });

  it('is disconnected if it sent no request, or after the response to its request', async () => {
    expect((await sendRaw('', { thenEnd: true })).statuses).toEqual([]);
    expect((await sendRaw('GET /nope HTTP/1.1\r\nHost: x\r\n\r\n', { thenEnd: true })).statuses).toEqual([404]);
  });
});

describe('an invalid or unsupported message after a valid request', () => {
  it('does not suppress the response to the valid request', async () => {
    expect((await sendRaw(`${wholeCategory('before garbage')}GARBAGE\r\n\r\n`)).statuses).toEqual([201, 400]);
    expect((await sendRaw('GET /nope HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n')).statuses).toEqual([404, 400]);
  });

  it('is refused with 405 (CONNECT) or 400 (unknown Expect header), after the response to the valid request', async () => {
    const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n';
    expect((await sendRaw(wholeCategory('before a tunnel') + tunnel)).statuses).toEqual([201, 405]);
    const expectation = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 200-ok\r\n\r\n';
    expect((await sendRaw(wholeCategory('before an expectation') + expectation)).statuses).toEqual([201, 400]);
  });
});

describe('pipelined requests', () => {
  it('are answered in order, including refused requests without a body', async () => {
    const nowhere = (headers = '') => `GET /nope HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
    const all = nowhere() + wholeCategory('in one go') + nowhere('Connection: close\r\n');
    expect((await sendRaw(all)).statuses).toEqual([404, 201, 404]);
    expect(await namesOfCategories()).toContain('in one go');
    expect(await underWay()).toBe(0);
  });

  // @proves contract 10a: Smaller
  it('are not executed after a response that ends the connection', async () => {
    const ending = [
      'GET /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde',
    ];
    for (const first of ending) {
      expect((await sendRaw(first + wholeCategory('ghost'))).statuses).toEqual([404]);
    }
    expect(await namesOfCategories()).not.toContain('ghost');
    expect(await underWay()).toBe(0);
  });

  it('can follow a request for an unknown path, because the response 404 has no "Connection: close"', async () => {
    const { headers } = await fetch(`${server.origin}/nope`);
    expect(headers.get('connection')).not.toBe('close');
  });
});
