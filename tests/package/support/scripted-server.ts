import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, type Attempt, type Scenario, scenarios } from './scenarios.js';

/** A server with scenarios. The base URL of a scenario is `http://…/<scenario>/v1/financial`. */
export interface ScriptedServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. Its scenarios have received no requests yet. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const attempts = new Map<Scenario, Attempt[]>();
  const server = createServer((request, response) => void serve(request, response, attempts));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  attempts: Map<Scenario, Attempt[]>,
): Promise<void> {
  const arrivedMs = performance.now();
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  const [, name = '', ...path] = url.pathname.split('/');
  const scenario = scenarios[name];
  if (scenario === undefined) return void response.writeHead(404).end();
  const seen = attempts.get(scenario) ?? [];
  attempts.set(scenario, seen);
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method = '', headers } = request;
  seen.push({ method, path: `/${path.join('/')}`, query: url.searchParams, headers, body, arrivedMs });
  send(request, response, scenario(seen));
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return;
  if (answer === 'cut') return void request.socket.resetAndDestroy();
  if (answer === 'cut within the body') {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': 1000 });
    response.write('{"data":{"id":"', () => request.socket.destroy());
    return;
  }
  const { status, headers = {}, ...envelope } = answer;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(envelope));
}
