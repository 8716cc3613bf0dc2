import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { runLoad } from './run-load.js';

const connections = 2;
const secondsOfRound = 0.1;
const books = {
  cashboxes: [
    { accountId: 'account-1', cashboxId: 'cashbox-1' },
    { accountId: 'account-2', cashboxId: 'cashbox-2' },
  ],
  movementIds: ['one', 'two'],
  replayedKeys: ['replayed-0', 'replayed-1'],
  budgetId: 'budget-1',
};
let server: Server | undefined;

afterEach(() => server?.close());

/** Runs a workload of the client with a server that responds with `answer`. */
async function load(workload: string, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const created = createServer((request, response) => request.resume().on('end', () => answer(request, response)));
  server = created;
  created.listen(0, '127.0.0.1');
  await once(created, 'listening');
  const address = created.address();
  return runLoad({
    workload,
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    pids: { server: process.pid, postgres: process.pid },
    headers: { Authorization: 'Bearer secret' },
    connections,
    seconds: secondsOfRound,
    books,
  });
}

const respond = (response: ServerResponse, status: number, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'Content-Length': '2', ...headers }).end('{}');

describe('the client of a benchmark round', () => {
  it('counts all sent requests, and sends no idempotency key twice', async () => {
    const keys: unknown[] = [];
    const { latenciesUs, seconds } = await load('W1', (request, response) => {
      expect(request.headers.authorization).toBe('Bearer secret');
      keys.push(request.headers['idempotency-key']);
      respond(response, 201);
    });
    expect(keys.length).toBeGreaterThanOrEqual(connections);
    expect(latenciesUs).toHaveLength(keys.length);
    expect(new Set(keys).size).toBe(keys.length);
    expect(seconds).toBeGreaterThanOrEqual(secondsOfRound);
  });

  it('fails if a response has an unexpected status', async () => {
    let requests = 0;
    const loaded = load('W1', (_, response) => {
      requests += 1;
      respond(response, requests === 1 ? 429 : 201);
    });
    await expect(loaded).rejects.toThrow('W1 had responses with unexpected statuses: {"429":1}');
  });

  it('sends each correction with the ETag of the last response about its movement', async () => {
    const versions = new Map<string, number>();
    await load('W5', (request, response) => {
      const path = request.url ?? '';
      const version = versions.get(path) ?? 1;
      if (request.method === 'GET') return respond(response, 200, { ETag: `"${version}"` });
      if (request.headers['if-match'] !== `"${version}"`) return respond(response, 409);
      versions.set(path, version + 1);
      return respond(response, 200, { ETag: `"${version + 1}"` });
    });
    expect(new Set(versions.keys())).toEqual(new Set(books.movementIds.map((id) => `/v1/financial/movements/${id}`)));
  });

  it('does not count requests before the start of the measurement', async () => {
    const counts = { first: 0, replayed: 0 };
    const seen = new Set<unknown>();
    const { latenciesUs } = await load('W6', (request, response) => {
      const key = request.headers['idempotency-key'];
      const isFirst = !seen.has(key);
      seen.add(key);
      counts[isFirst ? 'first' : 'replayed'] += 1;
      respond(response, isFirst ? 201 : 200);
    });
    expect(counts.first).toBe(books.replayedKeys.length);
    expect(latenciesUs).toHaveLength(counts.replayed);
  });
});
