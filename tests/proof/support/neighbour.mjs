// A tenant who minds its own business: a thread that asks one thing after the other and tells how long each answer took.
// It has a thread to itself, so that it does not measure how busy the proof is.
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
  const status = await ask(`${origins[turn % origins.length]}/v1/financial${path}`, options);
  parentPort.postMessage({ status, ms: performance.now() - startedAt });
}

/** The status of the answer, or 0 where none came. */
async function ask(url, options) {
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
