/**
 * Receives webhooks: verifies each webhook, and processes each event once, however often the event is delivered.
 *
 *   DEMO=on npm start                          in one terminal; it prints the two values for the line "export"
 *   npm run build                              once, for the packages: npm start builds only the programs
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…  in another terminal
 *   node apps/cli/dist/main.js listen --forward-to http://127.0.0.1:3000/   it prints a secret, and forwards events
 *   CENTAVO_WEBHOOK_SECRET=… node examples/webhook-receiver.mjs [port]      in a third terminal, with that secret
 *
 * In your own project, import from '@centavo/sdk/webhooks'.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isWebhookVerificationError, verifyWebhook } from '../packages/sdk/dist/webhooks.js';

const secret = process.env.CENTAVO_WEBHOOK_SECRET ?? '';
/** The body of a webhook has at most 20,000 bytes. */
const bodyBytesMax = 20_000;
/** The ids of processed events. A real program stores each id in its database, in the transaction that processes the event. */
const processed = new Set();

const server = createServer(async (request, response) => {
  try {
    const body = await readBody(request);
    const event = await verifyWebhook({ body, headers: request.headers, secret });
    // The id of the event equals the header webhook-id. It is the same in every attempt, and the signature covers it.
    if (!processed.has(event.data.id)) {
      console.log(`${event.type} of ${event.data.resource.id}, number ${event.data.sequence}`);
      processed.add(event.data.id);
    }
    response.writeHead(204).end();
  } catch (error) {
    const isRefused = isWebhookVerificationError(error);
    console.error(isRefused ? `Refused (${error.reason}): ${error.message}` : error);
    // After a response with 400 or 500, Centavo sends the webhook again later.
    response.writeHead(isRefused ? 400 : 500).end();
  }
});

server.listen(Number(process.argv[2] ?? 3000), '127.0.0.1');
await once(server, 'listening');
const address = server.address();
console.log(`Listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
process.once('SIGINT', () => server.close());

/**
 * Returns the bytes of a body as they were received.
 * @param {import('node:http').IncomingMessage} request
 */
async function readBody(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > bodyBytesMax) throw new Error(`The body is longer than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
