import { describe, expect, test } from 'vitest';
import { newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { success } from '../../test-support/scripted-fetch.js';
import { isUsageError } from '../index.js';

describe('the tracker of a request', () => {
  test('is the client’s tracker, unless the call names another tracker', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success([])] }, { trackerId: 'home' });
    await clock.settle(client.accounts.list());
    await clock.settle(client.accounts.list({ trackerId: 'work' }));
    await clock.settle(client.forTracker('club').accounts.list());
    expect(sent.map((request) => request.headers['x-service-tracker-id'])).toEqual(['home', 'work', 'club']);
  });

  test('is not sent with operations that list or choose trackers, name a tracker in their path, or use no tracker', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success([])] }, { trackerId: 'lost' });
    await clock.settle(client.trackers.list());
    await clock.settle(client.context.setActiveTracker('home'));
    await clock.settle(client.trackers.listMembers('home'));
    await clock.settle(client.identity.me());
    for (const request of sent) expect(request.headers).not.toHaveProperty('x-service-tracker-id');
  });
});

describe('a request', () => {
  test('keeps the path prefix of baseUrl in paths below /v1/financial and /v1/identity, and percent-encodes an id', async () => {
    const { client, clock, sent } = scriptedClient(
      { steps: [success([])] },
      { baseUrl: 'https://example.com/x/v1/financial' },
    );
    await clock.settle(client.categories.get('cat_a b'));
    await clock.settle(client.identity.me());
    expect(sent.map((request) => request.url)).toEqual([
      'https://example.com/x/v1/financial/categories/cat_a%20b',
      'https://example.com/x/v1/identity/me',
    ]);
  });

  test('omits absent filters, and joins the items of a list with commas', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success([])] });
    const filters = {
      from: '2026-01-01',
      to: undefined,
      categoryIds: ['cat_a', 'cat_b'],
      limit: 5,
      includeTotal: true,
    };
    await clock.settle(client.movements.list(filters));
    const query = new URL(sent[0]?.url ?? '').searchParams;
    expect(Object.fromEntries(query)).toEqual({
      from: '2026-01-01',
      categoryIds: 'cat_a,cat_b',
      limit: '5',
      includeTotal: 'true',
    });
  });

  test.each(['', '.', '..'])('is not sent for the id %j, which would address another path', async (id) => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    const error = await clock.failure(client.movements.get(id));
    expect(error).toSatisfy(isUsageError);
    expect(String(error)).toContain('movementId must be an id: a string other than "", "." and ".."');
    expect(sent).toHaveLength(0);
  });

  test('contains no token if it is a login', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    await clock.settle(client.identity.createSession({ email: 'ana@example.com', password: 'x' }));
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });

  test('has a user agent with the names of the application and the SDK', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] }, { userAgent: 'import/2.1' });
    await clock.settle(client.context.get());
    expect(sent[0]?.headers['user-agent']).toMatch(/^import\/2\.1 centavo-sdk\/\d/);
  });
});

describe('a caller’s header', () => {
  test('is sent with the request', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    await clock.settle(client.context.get({ headers: { traceparent: '00-abc' } }));
    expect(sent[0]?.headers.traceparent).toBe('00-abc');
  });

  test.each([
    ['Authorization', 'token'],
    ['idempotency-key', 'idempotencyKey'],
    ['X-Service-Tracker-Id', 'trackerId'],
  ])('cannot be %s, and the error names the option %s', async (name, option) => {
    const { client, clock, sent } = scriptedClient({ steps: [success()] });
    const error = await clock.failure(client.movements.create(newMovement, { headers: { [name]: 'x' } }));
    expect(isUsageError(error)).toBe(true);
    expect(String(error)).toContain(`the header ${name} from the option \`${option}\``);
    expect(sent).toHaveLength(0);
  });

  test('with a line break in its value is rejected, and the error does not contain the value', async () => {
    const { client, clock } = scriptedClient({ steps: [success()] });
    const error = await clock.failure(client.context.get({ headers: { cookie: 'hunter2\nx' } }));
    expect(isUsageError(error)).toBe(true);
    expect(String(error)).not.toContain('hunter2');
    expect(String(error)).toContain('headers: the name or the value of "cookie" has characters');
  });

  test('with the tracker id is rejected if the option trackerId contains a line break, and the error names the option', async () => {
    const { client, clock } = scriptedClient({ steps: [success()] });
    const error = await clock.failure(client.movements.get('a', { trackerId: 'a\nb' }));
    expect(isUsageError(error)).toBe(true);
    expect(String(error)).toContain('trackerId has characters that a header cannot contain. Remove these characters.');
  });
});

describe('a dry run', () => {
  const body = { type: 'expense', amountDecimal: '1', accountId: 'a' } as const;

  test('is sent if the caller passes dryRun in the query of request()', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success({ id: null })] });
    const request = { method: 'POST', path: '/movements', query: { dryRun: true }, body: {} } as const;
    await clock.settle(client.request(request));
    expect(new URL(sent[0]?.url ?? '').search).toBe('?dryRun=true');
  });

  test('has the parameter dryRun, and the same body as the write', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success({ id: null })] });
    const preview = await clock.settle(client.movements.create(body, { dryRun: true }));
    expect(preview.id).toBeNull();
    await clock.settle(client.movements.create(body));
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?dryRun=true', '']);
    expect(sent[0]?.body).toBe(sent[1]?.body);
  });

  test('of a correction sends If-Match', async () => {
    const { client, clock, sent } = scriptedClient({ steps: [success({ id: 'm', updatedAt: null })] });
    await clock.settle(client.movements.correct('m', { description: 'x' }, { etag: '"v1"', dryRun: true }));
    expect(new URL(sent[0]?.url ?? '').search).toBe('?dryRun=true');
    expect(sent[0]?.headers['if-match']).toBe('"v1"');
  });

  test('is retried after a lost response even without an idempotency key, because it records nothing', async () => {
    const { client, clock, sent } = scriptedClient({ steps: ['reset', success({ id: null })] });
    const account = { name: 'n', type: 'cash' } as const;
    await clock.settle(client.accounts.create(account, { dryRun: true }));
    expect(sent).toHaveLength(2);
  });
});
