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

describe('a write', () => {
  it('sends the key of --idempotency-key, and reports a replay', async () => {
    api.addAccount({ name: 'Checking' });
    const add = 'movements add --type expense --amount 1 --account Checking --idempotency-key my-key -o json';
    const first = await machine.run(add);
    const second = await machine.run(add);
    expect(second.stdout).toBe(first.stdout);
    expect(second.stderr).toContain('was recorded with this key before');
    expect(api.movements).toHaveLength(1);
  });

  it('prints the request with --dry-run, and sends nothing', async () => {
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

  it('exits 9 and names its key when the outcome is unknown', async () => {
    api.addAccount({ name: 'Checking' });
    api.fault = ({ url }) => (url.pathname.endsWith('/movements') ? Response.error() : undefined);
    const { code, stderr } = await machine.run(
      'movements add --type expense --amount 1 --account Checking --idempotency-key my-key',
    );
    expect(code).toBe(9);
    expect(stderr).toContain('--idempotency-key my-key');
  });

  it('names each field, the remedy and the request id when the server rejects it', async () => {
    api.addAccount({ name: 'Checking' });
    const issues = [{ path: 'amountDecimal', code: 'AMOUNT_PRECISION', message: 'Too many decimals.' }];
    api.fault = ({ url }) =>
      url.pathname.endsWith('/movements') ? refusal(400, 'VALIDATION_ERROR', { details: { issues } }) : undefined;
    const { code, stdout, stderr } = await machine.run(
      'movements add --type expense --amount 1.001 --account Checking',
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--amount: Too many decimals.');
    expect(stderr).toContain('request id: c0ffee00');
  });

  it('exits 130 and names its key after Ctrl-C', async () => {
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

describe('a correction', () => {
  it('reads the version, and clears a field for an empty value', async () => {
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

  it('exits 2 without a change, and 5 for an unknown movement', async () => {
    expect(await machine.run('movements correct x')).toMatchObject({ code: 2 });
    expect(await machine.run('movements correct x --amount 1')).toMatchObject({ code: 5 });
  });
});
