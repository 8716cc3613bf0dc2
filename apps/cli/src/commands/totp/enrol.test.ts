import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, success } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;
const otpauthUri = 'otpauth://totp/Centavo:ana%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Centavo';

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
  api.fault = ({ url }) => {
    if (url.pathname.endsWith('/totp')) return success({ secret: 'JBSWY3DPEHPK3PXP', otpauthUri }, { status: 201 });
    const isConfirmed = url.pathname.endsWith('/totp/confirm');
    return isConfirmed ? success({ accessToken: 'x', expiresAt: '2026-01-01T12:15:00.000Z' }) : undefined;
  };
});
afterEach(() => api.reset());

const utf8 = { LC_ALL: 'C.UTF-8' };
const enrol = (env: Record<string, string>, columns = 100, line = 'totp enrol') =>
  machine.run(line, { env, columns, answers: ['123456'] });

describe('totp enrol', () => {
  it('draws a square QR code in white on black', async () => {
    const { code, stdout, stderr } = await enrol(utf8);
    expect(code).toBe(0);
    expect(stdout).toContain(otpauthUri);
    const [whiteOnBlack, plain] = ['\u001b[97;40m', '\u001b[0m'];
    const rows = stderr
      .split('\n')
      .filter((line) => line.startsWith(whiteOnBlack) && line.endsWith(plain))
      .map((line) => line.slice(whiteOnBlack.length, -plain.length));
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    // One line of text contains two rows of modules, the squares of a QR code.
    expect(rows.length).toBe(Math.ceil((rows[0]?.length ?? 0) / 2));
  });

  it('draws the QR code without colour when colour is disabled', async () => {
    for (const { stderr } of [
      await enrol({ ...utf8, NO_COLOR: '1' }),
      await enrol(utf8, 100, 'totp enrol --no-color'),
    ]) {
      expect(stderr).toMatch(/^█{20,}$/m);
      expect(stderr).not.toContain('\u001b');
    }
  });

  it('prints the URI but no QR code without UTF-8, on a dumb terminal, or in 20 columns', async () => {
    for (const [env, columns] of [
      [{ LC_ALL: 'C' }, 100],
      [{ ...utf8, TERM: 'dumb' }, 100],
      [utf8, 20],
    ] as const) {
      const { code, stdout, stderr } = await enrol(env, columns);
      expect(code).toBe(0);
      expect(stdout).toContain(otpauthUri);
      expect(stderr).not.toMatch(/[█▀▄]/);
    }
  });

  it('prints the URI and exits 0 when the URI is too long for a QR code', async () => {
    const long = `otpauth://totp/${'a'.repeat(3_000)}`;
    api.fault = ({ url }) =>
      url.pathname.endsWith('/totp')
        ? success({ secret: 'JBSWY3DPEHPK3PXP', otpauthUri: long }, { status: 201 })
        : success({ accessToken: 'stepped-up', expiresAt: '2026-01-01T12:15:00.000Z' });
    const { code, stdout } = await enrol(utf8, 1_000);
    expect(code).toBe(0);
    expect(stdout).toContain(long);
  });

  it('refuses --code and creates no secret if no authenticator app is enrolled', async () => {
    api.fault = ({ url }) =>
      url.pathname.endsWith('/me')
        ? success({ userId: randomUUID(), email: 'ana@example.com', displayName: null, totpEnrolled: false })
        : undefined;
    const { code, stderr } = await machine.run('totp enrol --code 000000');
    expect(code).toBe(2);
    expect(stderr).toContain('No authenticator app is enrolled, so --code cannot be verified.');
    expect(stderr).toContain('centavo totp verify --confirm --code DIGITS');
    expect(api.writes).toEqual([]);
  });

  it('reports that --code was not verified if the server did not require a code', async () => {
    const { code, stderr } = await machine.run('totp enrol --code 000000');
    expect(code).toBe(0);
    expect(stderr).toContain('The server did not need --code and did not verify it.');
    expect((await machine.run('totp enrol')).stderr).not.toContain('did not need --code');
  });

  it('reports that an earlier unconfirmed secret no longer works', async () => {
    expect((await machine.run('totp enrol')).stderr).toContain(
      'If you ran "totp enrol" before and did not confirm the app, that earlier secret no longer works.',
    );
  });

  it('exits 3 and names --code if the server requires a code of the enrolled app', async () => {
    const details = { method: 'totp', maxAgeSeconds: 600 };
    api.fault = ({ url }) =>
      url.pathname.endsWith('/totp') ? refusal(401, 'STEP_UP_REQUIRED', { details }) : undefined;
    const { code, stderr } = await machine.run('totp enrol');
    expect(code).toBe(3);
    expect(stderr).toContain('try: Add --code with six digits of the enrolled authenticator app.');
    expect(stderr).not.toContain('centavo totp enrol');
  });

  it('creates no secret with --dry-run', async () => {
    const { code, stdout } = await machine.run('totp enrol --dry-run -o json');
    expect([code, JSON.parse(stdout).call, api.writes]).toEqual([0, 'identity.enrolTotp', []]);
  });

  it('prints the secret and its URI as JSON, and no QR code, with -o json', async () => {
    const { stdout, stderr } = await machine.run('totp enrol -o json', { env: utf8 });
    expect(JSON.parse(stdout)).toEqual({ secret: 'JBSWY3DPEHPK3PXP', otpauthUri });
    expect(stderr).not.toMatch(/[█▀▄]/);
  });
});
