// Loaded into a server under test with `node --import`. Kills the process at the point that a request names in the
// header `X-Proof-Kill-At`. The server itself contains no failpoints, so the proof tests the shipped code.
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The copies of the driver and of its serializer that the server uses.
const requireFromServer = createRequire(join(process.cwd(), 'apps/server/package.json'));
const { Client, Connection } = requireFromServer('pg');
const { serialize } = requireFromServer('pg-protocol');
// A Flush message makes PostgreSQL respond to the sent statements before the Sync message that ends a batch.
const flushMessage = serialize.flush();
const noMessage = Buffer.alloc(0);
const currentRequest = new AsyncLocalStorage();

const die = () => process.kill(process.pid, 'SIGKILL');

const { emit } = http.Server.prototype;
http.Server.prototype.emit = function emitOrDie(...parameters) {
  const [event, request, response] = parameters;
  const point = event === 'request' ? request.headers['x-proof-kill-at'] : undefined;
  if (point === undefined) return Reflect.apply(emit, this, parameters);
  if (point === 'request received') die();
  if (point === 'before the answer') response.end = die;
  if (point === 'half of the answer') sendHalf(response);
  if (point === 'after the answer') response.on('finish', die);
  const state = { point, statements: [], answers: 0 };
  if (point === 'nowhere') reportStatements(response, state);
  return currentRequest.run(state, () => Reflect.apply(emit, this, parameters));
};

/** For each connection, the pending statements with their requests and numbers. */
const pendingOfConnection = new WeakMap();
/** The connection whose batch the server is writing. */
let connectionOfBatch;
/** True after the failpoint in a batch: the remaining messages of the batch are not sent. */
let isPastFailpoint = false;

const { query } = Client.prototype;
Client.prototype.query = function queryAndNote(...parameters) {
  const [batch] = parameters;
  if (typeof batch?.submit !== 'function') return Reflect.apply(query, this, parameters);
  const { submit } = batch;
  batch.submit = (connection) => {
    connectionOfBatch = connection;
    isPastFailpoint = false;
    Reflect.apply(submit, batch, [connection]);
    connectionOfBatch = undefined;
  };
  return Reflect.apply(query, this, parameters);
};

const { bind } = serialize;
serialize.bind = (message) => {
  if (connectionOfBatch === undefined) return bind(message);
  if (isPastFailpoint) return noMessage;
  const state = currentRequest.getStore();
  const number = state?.statements.push(message.statement);
  const pending = pendingOfConnection.get(connectionOfBatch) ?? [];
  pendingOfConnection.set(connectionOfBatch, pending);
  pending.push({ state, number });
  if (state?.point !== `before statement ${number}`) return bind(message);
  isPastFailpoint = true;
  state.diesAfterAnswers = number - 1;
  // Kills the process after PostgreSQL has run all statements sent so far. Never sends the rest of the batch.
  if (state.answers === state.diesAfterAnswers) dieAfterAnswers(state);
  return flushMessage;
};

for (const name of ['close', 'describe', 'execute', 'parse', 'sync']) {
  const { [name]: toMessage } = serialize;
  serialize[name] = (message) => (connectionOfBatch !== undefined && isPastFailpoint ? noMessage : toMessage(message));
}

const { emit: emitEvent } = Connection.prototype;
Connection.prototype.emit = function emitOrDie(...parameters) {
  const [event] = parameters;
  const pending = pendingOfConnection.get(this) ?? [];
  // After a failed statement PostgreSQL skips the rest of the batch.
  if (event === 'errorMessage') pending.length = 0;
  if (event === 'commandComplete') {
    const { state, number } = pending.shift() ?? {};
    if (state !== undefined) {
      state.answers += 1;
      const isOver = state.point === `after statement ${number}` || state.answers === state.diesAfterAnswers;
      if (isOver) dieAfterAnswers(state);
    }
  }
  return Reflect.apply(emitEvent, this, parameters);
};

/** Prints the number of statements that PostgreSQL has completed, and kills the process. */
function dieAfterAnswers(state) {
  writeSync(2, `killed after ${state.answers} answers\n`);
  die();
}

function sendHalf(response) {
  const { socket } = response;
  const { write } = socket;
  let isSent = false;
  socket.write = (chunk) => {
    if (isSent) return true;
    isSent = true;
    return Reflect.apply(write, socket, [chunk.slice(0, chunk.length / 2), 'latin1', die]);
  };
}

/** Sends the names of the request's statements in a response header. A test uses them to choose the failpoints. */
function reportStatements(response, state) {
  const { end } = response;
  response.end = (...parameters) => {
    response.setHeader('X-Proof-Statements', JSON.stringify(state.statements));
    return Reflect.apply(end, response, parameters);
  };
}
