// A tenant that sends sequential requests in its own thread and reports the durations. The proof creates its load in another
// thread, so that the load does not delay these measurements.
import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';

const { origins, headers, accountId } = workerData;
const movement = { type: 'expense', amountDecimal: '1.00', accountId };
const requests = [
  () => [
    '/movements',
    { method: 'POST', body: JSON.stringify(movement), headers: { 'Idempotency-Key': randomUUID() } },
  ],
  () => ['/movements?limit=20', {}],
  () => ['/balances', {}],
];

let isOver = false;
parentPort.once('message', () => {
  isOver = true;
});
for (let turn = 0; !isOver; turn += 1) {
  const [path, options] = requests[turn % requests.length]();
  const startedAt = performance.now();
  const status = await send(`${origins[turn % origins.length]}/v1/financial${path}`, options);
  parentPort.postMessage({ status, ms: performance.now() - startedAt });
}

/** Returns the status of the response, or 0 without a response. */
async function send(url, options) {
  try {
    const response = await fetch(url, {
      ...options,
      headers: { ...headers, 'Content-Type': 'application/json', ...options.headers },
    });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
}
