// Loaded into a server under test by `node --import`: it kills the process at a point that a request names in the header
// `X-Proof-Kill-At`. The server itself knows nothing of it, so what is tested is what is shipped.
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The very copy of the driver that the server uses.
const { Connection } = createRequire(join(process.cwd(), 'apps/server/package.json'))('pg');
// PostgreSQL carries out what it has, without the Sync that ends a trip.
const flushMessage = Buffer.from([0x48, 0, 0, 0, 4]);
const requestUnderWay = new AsyncLocalStorage();

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
  if (point === 'nowhere') tellStatements(response, state);
  return requestUnderWay.run(state, () => Reflect.apply(emit, this, parameters));
};

const { bind, emit: tell } = Connection.prototype;
/** Of each connection, the statements on their way: whose they are, and which. */
const onTheirWay = new WeakMap();

Connection.prototype.bind = function bindOrDie(...parameters) {
  const state = requestUnderWay.getStore();
  const place = state?.statements.push(parameters[0].statement);
  const waiting = onTheirWay.get(this) ?? [];
  onTheirWay.set(this, waiting);
  waiting.push({ state, place });
  if (state?.point === `before statement ${place}`) dieOnceAnswered(this, { state, answers: place - 1 });
  return Reflect.apply(bind, this, parameters);
};

Connection.prototype.emit = function emitOrDie(...parameters) {
  const [event] = parameters;
  const waiting = onTheirWay.get(this) ?? [];
  // Behind one that fails none is carried out.
  if (event === 'errorMessage') waiting.length = 0;
  if (event === 'commandComplete') {
    const { state, place } = waiting.shift() ?? {};
    if (state !== undefined) {
      state.answers += 1;
      const isOver = state.point === `after statement ${place}` || state.answers === state.diesAfterAnswers;
      if (isOver) dieAfterAnswers(state);
    }
  }
  return Reflect.apply(tell, this, parameters);
};

/** Dies when PostgreSQL has carried out all that was written so far, and got nothing else of what was to travel with it. */
function dieOnceAnswered(connection, { state, answers }) {
  if (state.answers === answers) dieAfterAnswers(state);
  state.diesAfterAnswers = answers;
  const { stream } = connection;
  while (stream.writableCorked > 0) stream.uncork();
  stream.write(flushMessage);
  stream.write = () => true;
}

/** Dies, and says where, for who doubts it. */
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

function tellStatements(response, state) {
  const { end } = response;
  response.end = (...parameters) => {
    response.setHeader('X-Proof-Statements', JSON.stringify(state.statements));
    return Reflect.apply(end, response, parameters);
  };
}
