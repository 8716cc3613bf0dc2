import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSandbox } from '../../acceptance/support/sandbox.js';
import { runToEnd } from '../support/run-to-end.js';

const sandbox = openSandbox();

/** The scenarios of the suite that do not need the tools, resources or prompts of the suite's example server. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
const paths = ['/v1/mcp', '/v1/mcp/write'];
const runs = paths.flatMap((path) => scenarios.map((scenario) => ({ path, scenario })));

test.each(runs)('$path passes the scenario $scenario of the MCP conformance suite', async (run) => {
  const proxy = await startAuthorizingProxy();
  const server = await sandbox.startServer({
    dataDir: sandbox.newDataDir(),
    env: { DEMO: 'on', MCP_ALLOWED_ORIGINS: proxy.origin },
  });
  const [, token = ''] = /CENTAVO_TOKEN=(\S+)/.exec(server.output) ?? [];
  proxy.forwardTo(server.origin, token);

  const folder = await mkdtemp(join(tmpdir(), 'centavo-mcp-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // The suite needs Node 22 or newer.
  const packages = ['--package=node@22', '--package=@modelcontextprotocol/conformance@0.1.16'];
  const suite = ['conformance', 'server', '--url', proxy.origin + run.path, '--scenario', run.scenario];
  const { stdout } = await runToEnd({ program: 'npx', words: ['--yes', ...packages, '--', ...suite], cwd: folder });
  expect(stdout).toMatch(/Passed: (\d)\/\1, 0 failed, 0 warnings/);
});

/** Starts a proxy that adds a credential to each request, because the suite sends none. */
async function startAuthorizingProxy() {
  let target = '';
  let authorization = '';
  const proxy = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization };
    const forwarded = request(target + incoming.url, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
  });
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    forwardTo(origin: string, token: string) {
      target = origin;
      authorization = `Bearer ${token}`;
    },
  };
}
