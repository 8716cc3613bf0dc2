// Loaded into a server under test with `node --import`. A request with the header `X-Proof-Clock` sets the clock of the process, so
// that a test can skip days or stop the clock. The value is JSON: `{"aheadMs":60000}` sets the clock one minute ahead of the clock of
// the machine, and `{"stoppedAtMs":0}` stops it at the start of 1970. Each request that the process sends contains the time of its
// clock in the same header, in milliseconds since 1970.
import http from 'node:http';

const { now } = Date;
let clock = { aheadMs: 0 };

Date.now = () => clock.stoppedAtMs ?? now() + clock.aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length === 0 ? [Date.now()] : parameters, newTarget),
});

const { emit } = http.Server.prototype;
http.Server.prototype.emit = function emitAndMove(...parameters) {
  const [event, request] = parameters;
  const moved = event === 'request' ? request.headers['x-proof-clock'] : undefined;
  if (moved !== undefined) clock = JSON.parse(moved);
  return Reflect.apply(emit, this, parameters);
};

const { fetch } = globalThis;
globalThis.fetch = (address, options = {}) =>
  fetch(address, { ...options, headers: { ...options.headers, 'X-Proof-Clock': String(Date.now()) } });
