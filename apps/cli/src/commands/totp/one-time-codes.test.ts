import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aSecret } from '@centavo/sdk/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, success, trackerId } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const noToken = { CENTAVO_TOKEN: '' };
const profilePath = () => join(machine.configHome, 'centavo/profiles/default/profile.json');
const logIn = () =>
  machine.run('login --email ana@example.com --password-stdin', { env: noToken, stdin: 'correct horse battery\n' });

describe('a one-time code', () => {
  const refuseCodes = (path: string, respond: () => Response) => {
    api.fault = ({ url }) => (url.pathname.endsWith(path) ? respond() : undefined);
  };

  it('is rejected with exit code 3 if it is wrong; the error advises the user to wait for the next code', async () => {
    refuseCodes('/totp/verify', () => refusal(401, 'CREDENTIAL_INVALID'));
    const { code, stderr } = await machine.run('totp verify --code 123456');
    expect(code).toBe(3);
    expect(stderr).toContain('Wait for the next code');
    expect(stderr).not.toContain('centavo login');
  });

  it('is rejected with exit code 6 if the authenticator app is already confirmed; the message has no API error code', async () => {
    const details = { reason: 'not_enrolled' };
    refuseCodes('/totp/confirm', () => refusal(409, 'STATE_CONFLICT', { details }));
    const { code, stderr } = await machine.run('totp verify --confirm --code 123456');
    expect(code).toBe(6);
    expect(stderr).toContain('confirmed already');
    expect(stderr).not.toContain('STATE_CONFLICT');
  });

  it('is rejected by "totp enrol" with exit code 3 if it is wrong; the error names "totp verify --confirm"', async () => {
    api.fault = ({ url }) => {
      if (url.pathname.endsWith('/totp'))
        return success({ secret: 'JBSWY3DPEHPK3PXP', otpauthUri: 'otpauth://totp/Centavo' }, { status: 201 });
      return url.pathname.endsWith('/totp/confirm') ? refusal(401, 'CREDENTIAL_INVALID') : undefined;
    };
    const { code, stderr } = await machine.run('totp enrol', { answers: ['000000'] });
    expect(code).toBe(3);
    expect(stderr).toContain('centavo totp verify --confirm --code');
    expect(stderr).toContain('the secret stays the same');
  });
});

describe('totp enrol, if the last login was too long ago', () => {
  it('exits 3, asks for no code, and advises the user to log in again', async () => {
    const details = { method: 'password', maxAgeSeconds: 600 };
    api.fault = ({ url }) =>
      url.pathname.endsWith('/totp') ? refusal(401, 'STEP_UP_REQUIRED', { details }) : undefined;
    const { code, stderr, questions } = await machine.run('totp enrol', { answers: ['123456'] });
    expect([code, questions]).toEqual([3, []]);
    expect(stderr).toContain(
      'Run "centavo login" and enter your password, then repeat this command within 10 minutes.',
    );
    expect(stderr).not.toContain('--code');
  });
});

describe('keys create', () => {
  const create = 'keys create import --scope movements:write --all-managed';
  const requireStepUp = () => {
    api.fault = ({ url, headers }) =>
      url.pathname.endsWith('/api-keys') && headers.get('authorization') !== 'Bearer stepped-up'
        ? refusal(401, 'STEP_UP_REQUIRED', { details: { method: 'totp', maxAgeSeconds: 600 } })
        : undefined;
  };

  it('prints only the secret to stdout, and with -o json a JSON record that contains the secret', async () => {
    expect(await machine.run(create)).toMatchObject({ code: 0, stdout: `${aSecret()}\n` });
    expect(JSON.parse((await machine.run(`${create} -o json`)).stdout)).toMatchObject({
      secret: aSecret(),
    });
  });

  it('creates the API key after a one-time code from --code or from the prompt', async () => {
    await logIn();
    requireStepUp();
    expect(await machine.run(`${create} --code 123456`, { env: noToken })).toMatchObject({ code: 0 });
    expect(await readFile(profilePath(), 'utf8')).toContain('stepped-up');
    await logIn();
    expect(await machine.run(create, { env: noToken, answers: ['123456'] })).toMatchObject({ code: 0 });
  });

  it('exits 3 without a one-time code, and names --code', async () => {
    requireStepUp();
    const { code, stderr } = await machine.run(create);
    expect(code).toBe(3);
    expect(stderr).toContain('--code');
  });

  it('exits 2 if no flag chooses trackers, and accepts a tracker name in --for-tracker and a duration in --expires-in', async () => {
    expect(await machine.run('keys create import --scope movements:write')).toMatchObject({ code: 2 });
    const run = await machine.run(
      'keys create import --scope movements:write --for-tracker Household --expires-in 30d',
    );
    expect(run.code).toBe(0);
    expect(api.requests.at(-1)?.body).toMatchObject({
      access: { mode: 'selected', trackerIds: [trackerId] },
      expiresAt: '2026-01-31T12:00:00.000Z',
    });
  });
});

describe('a command for which the API requires a one-time code', () => {
  const requireStepUp = () => {
    api.fault = ({ url, headers }) =>
      url.pathname.endsWith('/api-keys') && headers.get('authorization') !== 'Bearer stepped-up'
        ? refusal(401, 'STEP_UP_REQUIRED', { details: { method: 'totp', maxAgeSeconds: 600 } })
        : undefined;
  };
  const create = 'keys create import --scope movements:write --all-managed';

  it('prompts for the code on a terminal, and succeeds after a valid code', async () => {
    requireStepUp();
    const { code, stdout, questions } = await machine.run(create, { answers: ['123 456'] });
    expect([code, stdout]).toEqual([0, `${aSecret()}\n`]);
    expect(questions).toEqual(['One-time code']);
    expect(api.requests.find(({ path }) => path === '/totp/verify')?.body).toEqual({ code: '123456' });
  });

  it('prompts again after a wrong code, and exits 3 after three wrong codes', async () => {
    requireStepUp();
    const stepUp = api.fault;
    let wrong = 0;
    api.fault = (request) => {
      if (!request.url.pathname.endsWith('/totp/verify') || wrong === 2) return stepUp(request);
      wrong += 1;
      return refusal(401, 'CREDENTIAL_INVALID');
    };
    expect(await machine.run(create, { answers: ['1', '2', '3'] })).toMatchObject({ code: 0 });
    wrong = -10;
    const { code, questions } = await machine.run(create, { answers: ['1', '2', '3', '4'] });
    expect([code, questions.length]).toEqual([3, 3]);
  });
});
