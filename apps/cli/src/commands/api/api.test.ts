import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, trackerId } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';
import { readFields } from './read-fields.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const movement = ['-f', 'type=expense', '-f', 'amountDecimal=12.50', '-f', 'accountId=x'];
const addMovement = (...more: string[]) => machine.run(['api', 'POST', '/movements', ...movement, ...more]);

describe('centavo api', () => {
  it('prints the response with its envelope, and with -o jsonl only the records', async () => {
    api.addAccount({ name: 'Checking' });
    const { stdout } = await machine.run('api GET /accounts');
    expect(JSON.parse(stdout)).toMatchObject({ data: [{ name: 'Checking' }], meta: { apiVersion: 1, trackerId } });
    expect(JSON.parse((await machine.run('api get accounts -o jsonl')).stdout)).toMatchObject({ name: 'Checking' });
  });

  it('sends the values of -f as strings, so that an amount loses no digits', async () => {
    const { code } = await addMovement('-F', 'categoryId=null');
    expect(code).toBe(0);
    expect(api.requests.at(-1)?.body).toEqual({
      type: 'expense',
      amountDecimal: '12.50',
      accountId: 'x',
      categoryId: null,
    });
  });

  it('sends the fields of -f in a GET request as query parameters, after those of the path', async () => {
    await machine.run(['api', 'GET', '/movements?type=expense', '-f', 'limit=2']);
    expect(api.requests.at(-1)?.query).toBe('?type=expense&limit=2');
  });

  it('sends the query parameters of the path, such as dryRun=true, even in a POST request', async () => {
    await machine.run(['api', 'POST', '/accounts?dryRun=true', '-f', 'name=Cash', '-f', 'type=cash']);
    expect(api.requests.at(-1)).toMatchObject({ method: 'POST', query: '?dryRun=true' });
  });

  it('reads the body from a file or from standard input', async () => {
    const file = await writeStatement('{"name": "Cash"}', 'body.json');
    await machine.run(['api', 'POST', '/accounts', '--input', file]);
    await machine.run('api POST /accounts --input -', { stdin: '{"name": "Coins"}' });
    expect(api.accounts.map(({ name }) => name)).toEqual(['Cash', 'Coins']);
  });

  it('exits 2 and sends nothing if the method, the path, the body, a field or the output format is invalid', async () => {
    const lines: [string[], string][] = [
      [['--input', '-'], 'not json'],
      [['--input', '-', '-f', 'name=x'], '{}'],
      [['--input', '/nowhere.json'], ''],
      [['-f', 'nonsense'], ''],
      [['-F', 'amountDecimal=12.50'], ''],
    ];
    for (const [flags, stdin] of lines) {
      const { code, stderr } = await machine.run(['api', 'POST', '/accounts', ...flags], { stdin });
      expect([flags, code]).toEqual([flags, 2]);
      expect(stderr).toContain('try: ');
    }
    for (const line of ['api FETCH /accounts', 'api GET https://elsewhere.example/', 'api GET /accounts -o csv']) {
      expect([line, (await machine.run(line)).code]).toEqual([line, 2]);
    }
    expect(api.requests).toEqual([]);
  });

  it('prints the status and the headers before the body with --include', async () => {
    const { stdout } = await addMovement('--include');
    expect(stdout).toMatch(/^HTTP 201\n(.+: .+\n)*etag: "1"\n(.+: .+\n)*\n\{/);
  });

  it('lists the records of all pages with --paginate', async () => {
    for (let count = 0; count < 5; count += 1) await addMovement('--idempotency-key', `key-${count}`);
    const all = await machine.run('api GET /movements -f limit=2 --paginate');
    expect(JSON.parse(all.stdout)).toEqual(api.movements);
    const lines = await machine.run('api GET /movements?limit=2 --paginate -o jsonl');
    expect(lines.stdout.trim().split('\n')).toHaveLength(5);
    expect(await machine.run('api GET /context --paginate')).toMatchObject({ code: 2 });
  });

  it('sends the key of --idempotency-key, or a new key without this flag, and sends the ETag of --if-match', async () => {
    await addMovement();
    expect(api.requests.at(-1)?.headers.get('idempotency-key')).toBe('test-key-1');
    const path = `/movements/${api.movements[0]?.id}`;
    const patch = ['api', 'PATCH', path, '-f', 'amountDecimal=1', '--idempotency-key', 'mine'];
    expect(await machine.run([...patch, '--if-match', '"7"'])).toMatchObject({ code: 6 });
    expect(await machine.run([...patch, '--if-match', '"1"'])).toMatchObject({ code: 0 });
    expect(api.requests.at(-1)?.headers.get('idempotency-key')).toBe('mine');
  });

  it('exits 9 and names the idempotency key if the connection fails before a response arrives', async () => {
    api.fault = () => Response.error();
    const { code, stderr } = await addMovement();
    expect(code).toBe(9);
    expect(stderr).toContain('--idempotency-key test-key-1');
  });

  it('names the idempotency key after Ctrl-C only if the operation accepts idempotency keys', async () => {
    api.fault = () => {
      machine.interruption.abort();
      return undefined;
    };
    expect((await addMovement()).stderr).toContain('--idempotency-key test-key-1');
    machine = await createMachine();
    const { code, stderr } = await machine.run('api POST /accounts -f name=Cash');
    expect(code).toBe(130);
    expect(stderr).not.toContain('--idempotency-key');
  });

  it('exits 5 for an unknown path, and advises the user to check the path', async () => {
    api.fault = () => refusal(404, 'NOT_FOUND');
    for (const line of ['api GET /nope', 'api GET /nope --paginate', 'api POST /nope -f name=x']) {
      const { code, stderr } = await machine.run(line);
      expect([line, code]).toEqual([line, 5]);
      expect(stderr).toMatch(/try: Check the path, its id/);
    }
  });

  it('prints the request with --dry-run, and sends nothing', async () => {
    const { code, stdout } = await addMovement('--dry-run', '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, call: 'POST /movements', body: { type: 'expense' } });
    expect(api.requests).toEqual([]);
  });

  it('prompts for the one-time code that the server requires, or sends the code of --code', async () => {
    api.fault = ({ url, headers }) =>
      url.pathname.endsWith('/api-keys') && headers.get('authorization') !== 'Bearer stepped-up'
        ? refusal(401, 'STEP_UP_REQUIRED')
        : undefined;
    expect(await machine.run('api POST /api-keys -f name=x', { answers: ['123456'] })).toMatchObject({ code: 0 });
    expect(await machine.run('api POST /api-keys -f name=x --code 123456')).toMatchObject({ code: 0 });
  });

  it('prints nothing for a response without a body, and prints the whole body of a response without an envelope', async () => {
    expect(await machine.run('api DELETE /v1/identity/sessions/current')).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse((await machine.run('api GET /health/live')).stdout)).toEqual({ status: 'live' });
  });
});

describe('readFields', () => {
  it('returns everything after the first equals sign as the value of a field', () => {
    expect(readFields(['note=a=b', 'merchantName='], ['tags=["x"]', 'n=3', 'b=true'])).toEqual({
      note: 'a=b',
      merchantName: '',
      tags: ['x'],
      n: 3,
      b: true,
    });
  });

  it('rejects a field name that occurs twice', () => {
    expect(() => readFields(['a=1'], ['a=1'])).toThrow('twice');
  });
});
