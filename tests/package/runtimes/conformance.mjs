// Tests the documented behaviour of the client that depends on the runtime: sockets, timers, aborts, headers, the two module systems.
// The script runs in Node, Bun and Deno against the scripted server. Its argument is the origin of that server. It prints the
// outcomes as JSON.
import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import process from 'node:process';
import * as sdk from '@centavo/sdk';
import { isWebhookVerificationError, verifyWebhook } from '@centavo/sdk/webhooks';

const origin = process.argv[2];
const newMovement = {
  type: 'expense',
  amountDecimal: '12.50',
  accountId: '01890000-0000-7000-8000-00000000000a',
};

const checks = {
  'create with key': async () => {
    const { data, replayed, etag, idempotencyKey } = await recordOnce();
    equal([data.description, replayed, etag, idempotencyKey], ['recorded', false, '"1"', 'key-1']);
  },
  replay: async () => {
    const { data, replayed } = await recordOnce();
    equal([data.description, replayed], ['recorded', true]);
  },
  'Retry-After': async () => {
    const waits = [];
    const client = clientOf('retry-after', { hooks: { onRetry: ({ delayMs }) => waits.push(delayMs >= 1000) } });
    const movement = await client.movements.create(newMovement);
    equal([movement.description, waits], ['patient', [true]]);
  },
  'connection cut': async () => {
    // The first of the two retries may come from the runtime: Deno repeats a request itself if a reused connection breaks.
    // The server has checked that all attempts were the same write under the same key.
    const { data, replayed } = await clientOf('connection-cut').movements.create(newMovement).withResponse();
    equal([data.description, replayed], ['recorded', true]);
  },
  'write without key': async () => {
    const { accounts } = clientOf('sent-once');
    // Makes the write reuse a connection, because a runtime may repeat a request on a reused connection.
    equal((await accounts.list()).data.length, 0);
    const unknown = await rejectionOf(accounts.create({ name: 'Wallet', type: 'cash' }));
    equal([sdk.isOutcomeUnknownError(unknown), (await accounts.list()).data.length], [true, 1]);
  },
  'list iteration': async () => {
    const rows = [];
    for await (const row of clientOf('pages').movements.list()) rows.push(row.description);
    equal(rows, ['1', '2', '3', '4', '5']);
  },
  'ETag and correction': async () => {
    const { movements } = clientOf('versions');
    const { data, etag } = await movements.get('m').withResponse();
    const conflict = await rejectionOf(movements.correct(data.id, { description: 'mine' }, { etag }));
    equal([sdk.isVersionConflictError(conflict), conflict.currentEtag], [true, '"2"']);
    const corrected = await movements.correctWith('m', () => ({ description: 'mine' })).withResponse();
    equal([corrected.data.description, corrected.etag], ['corrected', '"3"']);
  },
  'error guards': async () => {
    const { movements } = clientOf('refusals');
    const thrown = (status) => rejectionOf(movements.get(status, { maxRetries: 0 }));
    const invalid = await thrown('400');
    equal([sdk.isValidationError(invalid), invalid.issues.length], [true, 1]);
    equal(sdk.isStepUpRequiredError(await thrown('401')), true);
    equal(sdk.isNotFoundError(await thrown('404')), true);
    equal(sdk.isServerError(await thrown('502')), true);
  },
  'require beside import': async () => {
    const required = createRequire(import.meta.url)('@centavo/sdk');
    equal(Object.keys(required).sort(), Object.keys(sdk).sort());
    const error = await rejectionOf(clientOf('refusals').movements.get('404'));
    equal([required.isNotFoundError(error), required.isTimeoutError(error)], [true, false]);
  },
  'webhook signature': async () => {
    const key = Buffer.alloc(32, 7);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = '{"type":"webhook.test","data":{"id":"é€🍜"}}';
    const signature = createHmac('sha256', key).update(`id.${timestamp}.${body}`).digest('base64');
    const headers = new Headers({
      'webhook-id': 'id',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,AAAA v1,${signature}`,
    });
    const secret = `whsec_${key.toString('base64')}`;
    const event = await verifyWebhook({ body, headers, secret });
    equal(event, await verifyWebhook({ body: new TextEncoder().encode(body), headers, secret }));
    equal([event.type, event.data.id], ['webhook.test', 'é€🍜']);
    const refused = await rejectionOf(verifyWebhook({ body: `${body} `, headers, secret }));
    equal([isWebhookVerificationError(refused), refused.reason], [true, 'no_match']);
  },
  timeout: async () => {
    const { movements } = clientOf('silence', { timeoutMs: 100 });
    equal(sdk.isTimeoutError(await rejectionOf(movements.get('m'))), true);
    const unknown = await rejectionOf(movements.create(newMovement, { idempotencyKey: 'key-2' }));
    equal([sdk.isOutcomeUnknownError(unknown), unknown.idempotencyKey], [true, 'key-2']);
  },
  abort: async () => {
    const abort = new AbortController();
    const { movements } = clientOf('silence', {
      hooks: { onRequest: () => setTimeout(() => abort.abort('enough'), 50) },
    });
    equal(await rejectionOf(movements.get('m', { signal: abort.signal })), 'enough');
    const abortWrite = new AbortController();
    const writing = clientOf('silence', {
      hooks: { onRequest: () => setTimeout(() => abortWrite.abort('enough'), 50) },
    });
    const unknown = await rejectionOf(writing.movements.create(newMovement, { signal: abortWrite.signal }));
    equal([sdk.isOutcomeUnknownError(unknown), unknown.cause], [true, 'enough']);
  },
};

const outcomes = {};
for (const [name, check] of Object.entries(checks)) {
  outcomes[name] = await check().then(
    () => 'ok',
    (error) => `${error}`,
  );
}
// The process ends after this line only if the client has left no timer or socket open.
console.log(JSON.stringify({ runtime: runtimeName(), outcomes }));

function runtimeName() {
  if (globalThis.Deno !== undefined) return `Deno ${globalThis.Deno.version.deno}`;
  return process.versions.bun === undefined ? `Node ${process.versions.node}` : `Bun ${process.versions.bun}`;
}

function clientOf(scenario, options = {}) {
  return new sdk.FinancialClient({ baseUrl: `${origin}/${scenario}/v1/financial`, token: 'session-token', ...options });
}

function recordOnce() {
  return clientOf('record-once').movements.create(newMovement, { idempotencyKey: 'key-1' }).withResponse();
}

async function rejectionOf(call) {
  const nothing = Symbol('nothing');
  const reason = await call.then(
    () => nothing,
    (error) => error,
  );
  if (reason === nothing) throw new Error('The call succeeded, but it should have failed');
  return reason;
}

function equal(found, expected) {
  const [foundText, expectedText] = [JSON.stringify(found), JSON.stringify(expected)];
  if (foundText !== expectedText) throw new Error(`${foundText} instead of ${expectedText}`);
}
