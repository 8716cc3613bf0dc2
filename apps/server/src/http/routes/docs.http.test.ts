import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '@centavo/contracts';
import { type BrowserContext, chromium, type Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test-support/start-test-server.js';

// Chromium from Debian's package. The browsers that playwright downloads are not needed.
const chromiumPath = '/usr/bin/chromium';
// This limit only ends a test that hangs.
const hangMsMax = 90_000;
const isInstalled = existsSync(chromiumPath);
if (!isInstalled) process.stderr.write(`The tests of the page /docs are skipped: there is no ${chromiumPath}.\n`);

describe.skipIf(!isInstalled)('the page /docs in Chromium', () => {
  let server: TestServer;
  let profile: string;
  let browser: BrowserContext;

  beforeAll(async () => {
    server = await startTestServer();
    profile = await mkdtemp(join(tmpdir(), 'centavo-chromium-'));
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath,
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        // A request to another host fails at once, so that the test reports it without waiting.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });

  afterAll(async () => {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
    await server.close();
  });

  // @proves contract 10: GET /docs
  it('shows every group of operations and contacts no other server', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(hangMsMax);
    const requested: string[] = [];
    const errors: string[] = [];
    const unanswered = new Set<Request>();
    page.on('request', (request) => {
      requested.push(request.url());
      unanswered.add(request);
    });
    page.on('requestfinished', (request) => unanswered.delete(request));
    page.on('requestfailed', (request) => unanswered.delete(request));
    page.on('websocket', (socket) => requested.push(socket.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${server.origin}/docs`);
    await page.getByRole('heading', { name: 'Centavo', exact: true }).waitFor();
    for (const resource of new Set(Object.values(routes).map(({ call }) => call.resource))) {
      await page.locator(`a[href="#tag/${resource}"]`).waitFor();
    }
    // Opens one operation, so that the page fetches everything that it needs to show an operation.
    await page.goto(`${server.origin}/docs#tag/movements/POST/v1/financial/movements`);
    await page.getByRole('heading', { name: 'Record an expense or income' }).first().waitFor();
    await expect.poll(() => [...unanswered].map((request) => request.url()), { timeout: hangMsMax }).toEqual([]);

    const others = requested.filter((url) => !url.startsWith(`${server.origin}/`) && !/^(?:data|blob):/.test(url));
    expect(others).toEqual([]);
    expect(requested).toContain(`${server.origin}/openapi.json`);
    expect(errors).toEqual([]);
  });
});
