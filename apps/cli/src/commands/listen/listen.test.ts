import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { toWebhookBody } from '@centavo/contracts/calls';
import { verifyWebhook, type WebhookEvent } from '@centavo/sdk/webhooks';
import { http, passthrough } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, trackerId } from '../../../test-support/fake-api.js';
import { createMachine, noon, type TestMachine } from '../../../test-support/run-in-test.js';

/** A request of `listen`, as the receiver received it. */
interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const api = new FakeApi();
const received: Received[] = [];
let status = 204;
let receiver: Server;
let url: string;
let machine: TestMachine;

beforeAll(async () => {
  api.server.listen({ onUnhandledRequest: 'error' });
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(status, { location: url }).end('ignored');
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => {
  api.server.close();
  receiver.close();
});
beforeEach(async () => {
  machine = await createMachine();
  api.server.use(http.post(url, () => passthrough()));
  api.changes.onIdle = () => machine.interruption.abort();
});
afterEach(() => {
  api.reset();
  api.server.resetHandlers();
  received.length = 0;
  status = 204;
});

async function readStoredSecret(): Promise<string> {
  const profile = await readFile(join(machine.configHome, 'centavo/profiles/default/profile.json'), 'utf8');
  return JSON.parse(profile).listenSecret;
}

/** Verifies the signatures of all received webhooks with the clock of the machine. */
async function verifyAll(): Promise<readonly WebhookEvent[]> {
  const secret = await readStoredSecret();
  return Promise.all(
    received.map(({ body, headers }) =>
      verifyWebhook({ body, headers, secret, now: new Date(noon), toleranceSeconds: 60 }),
    ),
  );
}

describe('centavo listen', () => {
  it('forwards every event once and in order, with the body that the server would send and a valid signature', async () => {
    const events = [api.changes.add(), api.changes.add({ type: 'account.created' }), api.changes.add()];
    const { code, stdout } = await machine.run(`listen --forward-to ${url} --since beginning`);
    expect(code).toBe(0);
    expect(received.map(({ body }) => body)).toEqual(
      events.map((event) => toWebhookBody(event as never, { trackerId, payload: 'reference' })),
    );
    expect((await verifyAll()).map(({ data }) => data.sequence)).toEqual([1, 2, 3]);
    for (const [index, { headers }] of received.entries()) {
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Centavo-Webhooks/1',
        'webhook-id': events[index]?.id,
        'webhook-timestamp': String(noon / 1000),
      });
    }
    expect(stdout).toBe(
      `Secret: ${await readStoredSecret()}\n` +
        'movement.created → 204 0 ms\naccount.created → 204 0 ms\nmovement.created → 204 0 ms\n',
    );
  });

  it('forwards only new events without --since, and prints the cursor for the next run', async () => {
    api.changes.add();
    let idles = 0;
    api.changes.onIdle = () => {
      idles += 1;
      if (idles === 2) api.changes.add({ type: 'movement.voided' });
      if (idles === 3) machine.interruption.abort();
    };
    const { stderr } = await machine.run(`listen --forward-to ${url}`);
    expect((await verifyAll()).map(({ type }) => type)).toEqual(['movement.voided']);
    const [, cursor] = /--since (\S+)/.exec(stderr) ?? [];
    api.changes.add({ type: 'transfer.created' });
    machine = await createMachine();
    api.changes.onIdle = () => machine.interruption.abort();
    await machine.run(`listen --forward-to ${url} --since ${cursor} --quiet`);
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['movement.voided', 'transfer.created']);
  });

  it('sends the change and the record in the body with --payload record', async () => {
    const [change, record] = [{ description: [null, 'Café'] }, { id: 'm', description: 'Café' }];
    api.changes.add({ type: 'movement.corrected', change, record });
    await machine.run(`listen --forward-to ${url} --since beginning --payload record`);
    expect((await verifyAll())[0]?.data).toMatchObject({ change, record });
  });

  it('forwards only events of the types that --events names', async () => {
    for (const type of ['movement.created', 'account.created', 'transfer.voided', 'webhook.deleted']) {
      api.changes.add({ type });
    }
    await machine.run(
      `listen --forward-to ${url} --since beginning --events movement.*,account.created --events transfer.*`,
    );
    expect((await verifyAll()).map(({ type }) => type)).toEqual([
      'movement.created',
      'account.created',
      'transfer.voided',
    ]);
  });

  it('stores the signing secret in the profile, and uses it again in the next run', async () => {
    const first = await machine.run(`listen --forward-to ${url}`);
    const secret = await readStoredSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const second = await createMachine();
    expect(first.stdout).toContain(secret);
    api.changes.onIdle = () => second.interruption.abort();
    const { stdout } = await second.run(`listen --forward-to ${url}`, { env: { XDG_CONFIG_HOME: machine.configHome } });
    expect(stdout).toContain(secret);
  });

  it('prints the status if the receiver responds with an error or a redirect, and sends the event only once', async () => {
    api.changes.add();
    status = 500;
    expect((await machine.run(`listen --forward-to ${url} --since beginning`)).stdout).toContain('→ 500 0 ms');
    machine = await createMachine();
    api.changes.onIdle = () => machine.interruption.abort();
    status = 302;
    expect((await machine.run(`listen --forward-to ${url} --since beginning`)).stdout).toContain('→ 302 0 ms');
    expect(received).toHaveLength(2);
  });

  it('prints the reason when the receiver cannot be reached', async () => {
    api.changes.add();
    api.server.use(http.post('http://127.0.0.1:1/', () => passthrough()));
    const { code, stdout } = await machine.run('listen --forward-to http://127.0.0.1:1/ --since beginning');
    expect(code).toBe(0);
    expect(stdout).toMatch(/movement\.created → (ECONNREFUSED|connection failed) 0 ms/);
  });

  it('waits for a server that restarts, and forwards each event once', async () => {
    api.changes.add();
    api.changes.add();
    api.changes.add();
    api.fault = () => {
      const count = api.requests.length;
      if (count >= 3 && count <= 9) return Response.error();
      return count >= 10 && count <= 15 ? refusal(503, 'SERVICE_UNAVAILABLE') : undefined;
    };
    const { code, stderr } = await machine.run(`listen --forward-to ${url} --since beginning`);
    expect(code).toBe(0);
    expect(stderr.match(/Waiting for it/g)).toHaveLength(1);
    expect(api.requests.length).toBeGreaterThan(15);
    expect((await verifyAll()).map(({ data }) => data.sequence)).toEqual([1, 2, 3]);
  });

  it('with --print-json -o jsonl, prints each event as a JSON record that contains the sent body', async () => {
    const event = api.changes.add();
    const { stdout, stderr } = await machine.run(`listen --forward-to ${url} --since beginning --print-json -o jsonl`);
    expect(JSON.parse(stdout)).toEqual({
      ...{ sequence: 1, id: event.id, type: 'movement.created', status: 204, error: null, durationMs: 0 },
      event: JSON.parse(received[0]?.body ?? ''),
    });
    expect(stderr).toContain(await readStoredSecret());
  });

  it('prints the body of each event with --print-json', async () => {
    api.changes.add();
    const { stdout } = await machine.run(`listen --forward-to ${url} --since beginning --print-json`);
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toEqual(JSON.parse(received[0]?.body ?? ''));
  });

  it('exits 6 if the cursor points to an event that is not in the history of the tracker', async () => {
    api.fault = () => refusal(409, 'STATE_CONFLICT', { details: { reason: 'cursor_diverged', restart: true } });
    expect(await machine.run(`listen --forward-to ${url} --since AQ`)).toMatchObject({ code: 6 });
  });

  it.each([
    ['--forward-to nowhere', '--forward-to "nowhere"'],
    ['--forward-to ftp://127.0.0.1/', 'is not the URL of a receiver'],
    ['--forward-to http://127.0.0.1/ --events money.*', '--events "money.*" matches no type'],
    ['--forward-to http://127.0.0.1/ --payload all', 'reference, record'],
    ['', '--forward-to'],
  ])('rejects "%s" before it sends anything', async (flags, message) => {
    const { code, stderr } = await machine.run(`listen ${flags}`.trim());
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(api.requests).toEqual([]);
  });

  it.each(['http://me:secret@127.0.0.1/', 'http://:secret@127.0.0.1/'])(
    'rejects the receiver %s, and does not print its password',
    async (receiver) => {
      const { code, stderr } = await machine.run(`listen --forward-to ${receiver}`);
      expect(code).toBe(2);
      expect(stderr).toContain('The URL of --forward-to has a user or a password');
      expect(stderr).not.toContain('secret');
    },
  );
});
