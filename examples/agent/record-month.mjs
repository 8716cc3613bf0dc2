/**
 * Acts as an agent without a model: a fixed script of tool calls records a month of receipts. At every third write, the script kills its
 * own `centavo mcp` and ignores the response. Then it starts another `centavo mcp` and repeats the call with the same `confirm`.
 *
 *   npm run build                                             once
 *   export CENTAVO_BASE_URL=… CENTAVO_TOKEN=…                 a key that may write
 *   node examples/agent/record-month.mjs Checking Savings     two accounts of the tracker
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));
const receipts = JSON.parse(await readFile(new URL('receipts.json', import.meta.url), 'utf8'));
const [spendingName, savingName] = process.argv.slice(2);

/** Starts a `centavo mcp`. The script exchanges JSON-RPC messages with it, one per line. */
function startMcpServer() {
  const child = spawn(process.execPath, [program, 'mcp', '--write', '--confirm', 'text'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let lastId = 0;
  const send = (method, params) => {
    lastId += 1;
    const id = lastId;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      child.once('exit', () => reject(new Error('centavo mcp has ended')));
    });
  };
  const clientInfo = { name: 'record-month', version: '1' };
  const ready = send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }).then(() => {
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  });
  return { child, ready, send };
}

let mcpServer = startMcpServer();
let writes = 0;

async function call(name, given = {}) {
  await mcpServer.ready;
  const { result, error } = await mcpServer.send('tools/call', { name, arguments: given });
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  return { isError: result.isError === true, ...JSON.parse(result.content[0].text) };
}

/** Codes after which the same call may be repeated. */
const isTemporary = (code) =>
  [
    'CONNECTION_FAILED',
    'TIMEOUT',
    'NO_ANSWER',
    'SERVICE_UNAVAILABLE',
    'INTERNAL_ERROR',
    'IDEMPOTENCY_IN_PROGRESS',
  ].includes(code);

/** Repeats a call while the server is not available, for about a minute. */
async function callPatiently(name, given) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(name, given);
    if (!answer.isError) return answer;
    if (!isTemporary(answer.code) || attempt === 60)
      throw new Error(`${name}: ${answer.code} ${JSON.stringify(answer.details)}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/**
 * Calls a write tool twice: first for a preview, then to record. At every third write, kills `centavo mcp` during the second call, and
 * repeats that call.
 */
async function record(name, given) {
  const { confirm } = await callPatiently(name, given);
  writes += 1;
  if (writes % 3 === 0) {
    await mcpServer.ready;
    const lost = mcpServer.send('tools/call', { name, arguments: { ...given, confirm } }).catch(() => undefined);
    // The delay varies: sometimes `centavo mcp` is killed before the server receives the request, sometimes after the server responds.
    await Promise.race([lost, new Promise((resolve) => setTimeout(resolve, (writes * 7) % 40))]);
    const ended = new Promise((resolve) => mcpServer.child.once('exit', resolve));
    mcpServer.child.kill('SIGKILL');
    await ended;
    mcpServer = startMcpServer();
  }
  const { data, replayed = false } = await callPatiently(name, { ...given, confirm });
  console.log(`${writes} ${name}${replayed ? ' (had been recorded)' : ''}`);
  return data;
}

const accounts = (await callPatiently('list_accounts')).data;
const accountOf = (name) => {
  const account = accounts.find((candidate) => candidate.name === name);
  if (account === undefined) throw new Error(`There is no account ${name}. Name two accounts of the tracker.`);
  return account.id;
};
const [accountId, savingId] = [accountOf(spendingName), accountOf(savingName)];

for (const receipt of receipts.slice(0, 25)) await record('record_movement', { ...receipt, accountId });
await record('record_movements', { movements: receipts.slice(25).map((receipt) => ({ ...receipt, accountId })) });
await record('record_transfer', {
  amountDecimal: '300.00',
  fromAccountId: accountId,
  toAccountId: savingId,
  occurredOn: '2026-06-30',
});

// Makes two mistakes and corrects them: one receipt is recorded twice, and one amount is misread.
const twice = await record('record_movement', { ...receipts[1], accountId });
await record('void_movement', { movementId: twice.id, version: twice.version });
const misread = await record('record_movement', {
  type: 'expense',
  amountDecimal: '91.00',
  occurredOn: '2026-06-30',
  accountId,
});
await record('correct_movement', { movementId: misread.id, version: misread.version, amountDecimal: '19.00' });

const { data: balances } = await callPatiently('get_balances');
for (const { accountName, balanceDecimal } of balances) console.log(`${accountName}: ${balanceDecimal}`);
mcpServer.child.stdin.end();
