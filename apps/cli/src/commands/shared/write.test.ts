import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

describe('a write command', () => {
  it('sends the key of --idempotency-key; if the user repeats the command, reports that the movement was recorded before', async () => {
    api.addAccount({ name: 'Checking' });
    const add = 'movements add --type expense --amount 1 --account Checking --idempotency-key my-key -o json';
    const first = await machine.run(add);
    const second = await machine.run(add);
    expect(second.stdout).toBe(first.stdout);
    expect(second.stderr).toContain('was recorded with this idempotency key before');
    expect(api.movements).toHaveLength(1);
  });

  it('with --dry-run prints the request and does not send it', async () => {
    api.addAccount({ name: 'Checking' });
    const { code, stdout } = await machine.run(
      'movements add --type expense --amount 1 --account Checking --dry-run -o json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, call: 'movements.create', body: { amountDecimal: '1' } });
    expect(api.writes).toEqual([]);
  });

  it('accepts a negative opening balance as a value, not as a flag', async () => {
    expect(await machine.run('accounts create Card --type credit_card --opening-balance -250.00')).toMatchObject({
      code: 0,
    });
    expect(api.accounts[0]).toMatchObject({ openingBalanceDecimal: '-250.00', type: 'credit_card' });
  });

  it('exits 9 and names the idempotency key if the connection fails before a response arrives', async () => {
    api.addAccount({ name: 'Checking' });
    api.fault = ({ url }) => (url.pathname.endsWith('/movements') ? Response.error() : undefined);
    const { code, stderr } = await machine.run(
      'movements add --type expense --amount 1 --account Checking --idempotency-key my-key',
    );
    expect(code).toBe(9);
    expect(stderr).toContain('--idempotency-key my-key');
  });

  it('exits 2 and prints the request id and the flag of the invalid field when the server rejects the request', async () => {
    api.addAccount({ name: 'Checking' });
    const issues = [{ path: 'amountDecimal', code: 'AMOUNT_PRECISION', message: 'Too many decimal places.' }];
    api.fault = ({ url }) =>
      url.pathname.endsWith('/movements') ? refusal(400, 'VALIDATION_ERROR', { details: { issues } }) : undefined;
    const { code, stdout, stderr } = await machine.run(
      'movements add --type expense --amount 1.001 --account Checking',
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--amount: Too many decimal places.');
    expect(stderr).toContain('request id: c0ffee00');
  });

  it('exits 130 and names the idempotency key after Ctrl-C', async () => {
    api.addAccount({ name: 'Checking' });
    api.fault = ({ url }) => {
      if (url.pathname.endsWith('/movements')) machine.interruption.abort();
      return undefined;
    };
    const { code, stderr } = await machine.run(
      'movements add --type expense --amount 1 --account Checking --idempotency-key my-key',
    );
    expect(code).toBe(130);
    expect(stderr).toContain('--idempotency-key my-key');
  });
});

describe('a write command with --preview', () => {
  const cashboxId = '0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11';
  const balances = [{ cashboxId, currencyCode: 'USD', beforeDecimal: '10.00', afterDecimal: '9.00' }];

  /** Makes the fake API respond to dry runs as the server does. Other requests are handled as before. */
  const respondToDryRuns = (meta: object) => {
    api.fault = ({ url, body }) =>
      url.searchParams.get('dryRun') === 'true'
        ? Response.json({ data: { id: null, ...body }, meta: { apiVersion: 1, requestId: 'r', dryRun: true, ...meta } })
        : undefined;
  };
  const add = 'movements add --type expense --amount 1 --account Checking --preview';

  it('gets the result from the server with ?dryRun=true, prints it with the balances, and records nothing', async () => {
    api.addAccount({ name: 'Checking' });
    respondToDryRuns({ effects: { balances } });
    const { code, stdout, stderr } = await machine.run(add);
    expect(code).toBe(0);
    expect(stderr).toContain('Nothing was recorded.');
    expect(stdout).toMatch(/AMOUNT DECIMAL +1\n/);
    expect(stdout).toMatch(new RegExp(`${cashboxId} +10.00 +9.00 +USD`));
    expect(JSON.parse((await machine.run(`${add} -o json`)).stdout)).toMatchObject({
      preview: true,
      data: { id: null, amountDecimal: '1' },
      balances,
    });
    expect(api.movements).toEqual([]);
  });

  it('reports that the credential may not read balances if the response to the dry run contains no balances', async () => {
    api.addAccount({ name: 'Checking' });
    respondToDryRuns({ effects: { balances: null } });
    expect((await machine.run(add)).stderr).toContain('may not read balances');
  });

  it('sends ?dryRun=true without a prompt, even if the name of the new account is already taken', async () => {
    api.addAccount({ name: 'Checking' });
    respondToDryRuns({ effects: { balances: [] } });
    const run = await machine.run('accounts create Checking --preview -o json');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('To create another one, add --yes.');
    expect(api.requests.at(-1)).toMatchObject({ method: 'POST', path: '/accounts', query: '?dryRun=true' });
  });

  it('exits 2 and sends no request if --dry-run is also given', async () => {
    expect(await machine.run(`${add} --dry-run`)).toMatchObject({ code: 2 });
    expect(api.requests).toEqual([]);
  });
});

describe('movements correct', () => {
  it('needs no --if-match, and clears a field if the value of its flag is empty', async () => {
    api.addAccount({ name: 'Checking' });
    await machine.run('movements add --type expense --amount 1 --account Checking --description Tea');
    const id = String(api.movements[0]?.id);
    const run = await machine.run(['movements', 'correct', id, '--amount', '2.00', '--description', '', '-o', 'json']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ id, amountDecimal: '2.00', description: null, version: 2 });
  });

  it('exits 6 and changes nothing when --if-match is stale', async () => {
    api.addAccount({ name: 'Checking' });
    await machine.run('movements add --type expense --amount 1 --account Checking');
    const id = String(api.movements[0]?.id);
    expect(await machine.run(['movements', 'correct', id, '--amount', '2', '--if-match', '"7"'])).toMatchObject({
      code: 6,
    });
    expect(api.movements[0]).toMatchObject({ amountDecimal: '1', version: 1 });
  });

  it('exits 2 if the user changes no field, and exits 5 for an unknown movement', async () => {
    expect(await machine.run('movements correct x')).toMatchObject({ code: 2 });
    expect(await machine.run('movements correct x --amount 1')).toMatchObject({ code: 5 });
  });
});
