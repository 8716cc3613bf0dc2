// Loaded into a server under test by `node --import`: it kills the process at a point that a request names in the header
// `X-Proof-Kill-At`. The server itself knows nothing of it, so what is tested is what is shipped.
import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The very copy of the driver that the server uses.
const { Client } = createRequire(join(process.cwd(), 'apps/server/package.json'))('pg');
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
  const state = { point, statements: [] };
  if (point === 'nowhere') tellStatements(response, state);
  return requestUnderWay.run(state, () => Reflect.apply(emit, this, parameters));
};

const { query } = Client.prototype;
Client.prototype.query = function queryOrDie(...parameters) {
  const state = requestUnderWay.getStore();
  if (state === undefined) return Reflect.apply(query, this, parameters);
  const [statement] = parameters;
  state.statements.push((statement.text ?? statement).trim().slice(0, 6));
  if (state.point === `before statement ${state.statements.length}`) die();
  if (state.point === `after statement ${state.statements.length}`) parameters[parameters.length - 1] = die;
  return Reflect.apply(query, this, parameters);
};

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
