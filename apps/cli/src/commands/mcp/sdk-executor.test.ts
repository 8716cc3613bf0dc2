import { calls } from '@centavo/contracts/calls';
import { FinancialClient } from '@centavo/sdk';
import { expect, it } from 'vitest';
import { SdkExecutor } from './sdk-executor.js';

const trackerId = '0190f2a0-0000-7000-8000-000000000001';

/**
 * Returns a client of a server that refuses every request: with INSUFFICIENT_SCOPE if the path is in `missing`, otherwise with
 * VALIDATION_ERROR.
 */
function clientWithout(missing: readonly string[], sent: URL[] = []): FinancialClient {
  return new FinancialClient({
    token: 'test-token',
    maxRetries: 0,
    fetch: async (input) => {
      const url = new URL(String(input));
      sent.push(url);
      const isMissing = missing.some((path) => url.pathname === `/v1/financial${path}`);
      const [status, code] = isMissing ? [403, 'INSUFFICIENT_SCOPE'] : [400, 'VALIDATION_ERROR'];
      const error = { code, message: 'Refused.', details: isMissing ? { requiredScopes: [] } : { issues: [] } };
      const meta = { apiVersion: 1, requestId: trackerId };
      return Response.json({ error, meta }, { status: status as number });
    },
  });
}

it('SdkExecutor tries one request with probe=scope for each scope if an API key may not read its own scopes (context:read)', async () => {
  const sent: URL[] = [];
  const client = clientWithout(['/context', '/movements', '/movements/bulk', '/transfers', '/audit-events'], sent);
  const scopes = await new SdkExecutor(client, trackerId).readScopes();
  expect(scopes).toEqual(expect.arrayContaining(['accounts:read', 'balances:read', 'catalog:write:tracker']));
  for (const scope of ['context:read', 'movements:write', 'transfers:write', 'audit:read']) {
    expect(scopes).not.toContain(scope);
  }
  const probes = sent.filter(({ pathname }) => pathname !== '/v1/financial/context');
  expect(probes.every(({ searchParams }) => searchParams.get('probe') === 'scope')).toBe(true);
});

it('SdkExecutor throws an error with the reason when it reads the scopes of a mistyped or revoked credential', async () => {
  const mistyped = new FinancialClient({ token: async () => `centavo_live_${'x'.repeat(43)}` });
  await expect(new SdkExecutor(mistyped, trackerId).readScopes()).rejects.toThrow(/^CREDENTIAL_INVALID: .*mistyped/);
  const error = { code: 'CREDENTIAL_REVOKED', message: 'Revoked.', details: {} };
  const revoked = new FinancialClient({
    token: 'test-token',
    maxRetries: 0,
    fetch: async () => Response.json({ error, meta: { apiVersion: 1, requestId: trackerId } }, { status: 401 }),
  });
  await expect(new SdkExecutor(revoked, trackerId).readScopes()).rejects.toThrow('CREDENTIAL_REVOKED: Revoked.');
});

it('SdkExecutor reports that the outcome of a write is unknown if no response arrives, and known if the server refuses the write', async () => {
  const request = { call: calls.createMovement, pathParameters: {}, query: {}, body: {}, idempotencyKey: 'k' };
  const refusing = new SdkExecutor(clientWithout([]), trackerId);
  expect(await refusing.execute(request)).toMatchObject({ ok: false, isOutcomeUnknown: false });
  const silent = new FinancialClient({
    token: 'test-token',
    maxRetries: 0,
    fetch: async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
    },
  });
  const response = await new SdkExecutor(silent, trackerId).execute(request);
  expect(response).toMatchObject({ ok: false, isOutcomeUnknown: true, error: { code: 'NO_ANSWER' } });
});
