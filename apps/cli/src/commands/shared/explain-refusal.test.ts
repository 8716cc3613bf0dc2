import type { Command } from 'commander';
import { HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idleCli } from '../../../test-support/collect-examples.js';
import { FakeApi, refusal, trackerId } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';
import { composeProgram } from '../../run.js';
import { flagOfField } from './explain-refusal.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

describe('an unavailable server', () => {
  it('is reported after a failed read; the message says that nothing was changed and how many seconds to wait', async () => {
    api.fault = () => refusal(503, 'SERVICE_UNAVAILABLE', { retryAfter: '90' });
    for (const line of ['balances', 'movements list', 'api GET /accounts']) {
      const { code, stderr } = await machine.run(line);
      expect([line, code]).toEqual([line, 8]);
      expect(stderr).toContain('try: Nothing was changed. Repeat the command in 90 s.');
      expect(stderr).toContain('request id: c0ffee00');
    }
  });

  it('is reported after a failed write; the message advises the user to check whether the change was recorded', async () => {
    api.fault = ({ url, body }) =>
      url.pathname.endsWith('/trackers') && body.name !== undefined ? refusal(503, 'SERVICE_UNAVAILABLE') : undefined;
    const { code, stderr } = await machine.run('trackers create Cabin --currency EUR');
    expect(code).toBe(8);
    expect(stderr).toContain('Check whether the change was recorded');
  });
});

describe('a command whose write succeeded', () => {
  beforeEach(() => {
    for (const name of ['Checking', 'Savings']) api.addAccount({ name });
  });

  it.each([
    ['the server is unavailable', () => refusal(503, 'SERVICE_UNAVAILABLE'), 8],
    ['the rate limit is reached', () => refusal(429, 'RATE_LIMITED', { retryAfter: '1000' }), 7],
    ['the connection breaks', () => HttpResponse.error(), 9],
  ])(
    'reports that the change was recorded, and advises against repeating the command, if afterwards %s',
    async (_, respond, expected) => {
      api.fault = ({ url }) =>
        url.pathname.endsWith('/accounts') && api.writes.includes('POST /transfers') ? respond() : undefined;
      const run = await machine.run('transfers add --from-account Checking --to-account Savings --amount 5');
      expect(api.writes).toEqual(['POST /transfers']);
      expect(run.code).toBe(expected);
      expect(run.stderr).toContain('try: The change was recorded. Do not repeat the command');
      expect(run.stderr).not.toContain('Nothing was');
    },
  );
});

describe('a command with an API key that lacks a scope', () => {
  beforeEach(() => {
    api.fault = () => refusal(403, 'INSUFFICIENT_SCOPE', { details: { requiredScopes: ['x:read'] } });
  });

  it.each([
    'trackers create Cabin --currency EUR',
    'trackers update Household --name Home',
    'accounts create Cash',
    'accounts update Cash --name Coins',
    'cashboxes create Cash Jar',
    'cashboxes update Jar --name Box',
    'members list',
    'members add eva@example.com --role viewer',
    'members change-role eva@example.com --role viewer',
    'members remove eva@example.com --yes',
  ])('exits 4 and advises the user to log in if the command needs a user session: %s', async (line) => {
    const { code, stderr } = await machine.run(line);
    expect(code).toBe(4);
    expect(stderr).toContain('run "centavo login"');
    expect(stderr).not.toContain('x:read');
  });

  it('names the missing scope if the command accepts API keys', async () => {
    expect((await machine.run('balances')).stderr).toContain('Use a key with the scope x:read.');
  });
});

describe('a tracker that cannot be used', () => {
  it('is reported with the source of its id: --tracker, CENTAVO_TRACKER or the profile', async () => {
    await machine.run(['trackers', 'use', 'Household']);
    api.fault = () => refusal(403, 'TRACKER_FORBIDDEN', { details: { trackerIds: [trackerId] } });
    for (const [args, env, sentence] of [
      [`balances --tracker ${trackerId}`, {}, `the tracker ${trackerId}, which --tracker names.`],
      ['balances', { CENTAVO_TRACKER: trackerId }, `the tracker ${trackerId}, which CENTAVO_TRACKER names.`],
      ['balances', {}, `the tracker ${trackerId}, which the profile default names.`],
    ] as const) {
      const { code, stderr } = await machine.run(args, { env });
      expect([args, code]).toEqual([args, 4]);
      expect(stderr).toContain(sentence);
      expect(stderr).toContain('trackers list');
    }
  });

  it('is reported by status and doctor, which advise the user to choose another tracker', async () => {
    await machine.run(['trackers', 'use', 'Household']);
    api.fault = ({ url }) =>
      url.pathname.endsWith('/context')
        ? refusal(403, 'TRACKER_FORBIDDEN', { details: { trackerIds: [trackerId] } })
        : undefined;
    for (const [args, env, origin, remedy] of [
      ['', {}, 'the profile default', 'centavo trackers use NAME'],
      [` --tracker ${trackerId}`, {}, '--tracker', 'with --tracker'],
      ['', { CENTAVO_TRACKER: trackerId }, 'CENTAVO_TRACKER', 'with --tracker'],
    ] as const) {
      const sentence = `This credential may not use the tracker ${trackerId}, which ${origin} names.`;
      const status = await machine.run(`status${args}`, { env });
      expect(status.stdout).toContain('ana@example.com');
      expect(status.stderr).toContain(sentence);
      expect(status.stderr).toContain(remedy);
      expect(status.stderr).not.toContain('trackers create');
      const doctor = await machine.run(`doctor${args} -o json`, { env });
      expect(doctor.code).toBe(1);
      expect(JSON.parse(doctor.stdout)).toContainEqual({
        check: 'tracker',
        outcome: 'fail',
        found: sentence,
        remedy: expect.stringContaining(remedy),
      });
      expect(doctor.stderr).not.toContain('All checks passed.');
    }
  });

  it('is reported by doctor as a failed check if no tracker has the name in --tracker', async () => {
    const { code, stdout } = await machine.run('doctor --tracker Cabin -o json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'tracker',
      outcome: 'fail',
      found: 'There is no tracker "Cabin".',
      remedy: 'There are: Household.',
    });
  });
});

const program = composeProgram(idleCli);

function commandOf(line: string): Command {
  return line
    .split(' ')
    .reduce<Command>((noun, word) => noun.commands.find((command) => command.name() === word) ?? noun, program);
}

describe('flagOfField', () => {
  it.each([
    ['movements add', 'amountDecimal', '--amount'],
    ['movements add', 'accountId', '--account'],
    ['movements add', 'occurredOn', '--occurred-on'],
    ['movements add', 'currencyCode', '--currency'],
    ['movements add', 'merchantName', '--merchant-name'],
    ['movements list', 'query.limit', '--limit'],
    ['movements list', 'query.categoryIds', '--category'],
    ['transfers add', 'fromAccountId', '--from-account'],
    ['accounts create', 'openingBalanceDecimal', '--opening-balance'],
    ['budgets create', 'lines.0.plannedDecimal', '--line'],
    ['budgets add-line', 'plannedDecimal', '--planned'],
    ['keys create', 'scopes.0', '--scope'],
    ['keys create', 'access.trackerIds.0', '--for-tracker'],
    ['keys create', 'expiresAt', '--expires-in'],
    ['keys create', 'name', '<name>'],
    ['members add', 'email', '<email>'],
    ['movements add', 'source', 'source'],
    ['movements add', 'header.If-Match', 'header.If-Match'],
    ['movements add', '', 'body'],
  ])('for the command "%s", maps the field "%s" to the text "%s"', (line, path, text) => {
    expect(flagOfField(path, commandOf(line))).toBe(text);
  });
});
