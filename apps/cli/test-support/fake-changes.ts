import { createHash, randomUUID } from 'node:crypto';
import { encodeEventCursor } from '@centavo/contracts/calls';
import { HttpResponse } from 'msw';
import { trackerId } from './fake-responses.js';

type Json = Record<string, unknown>;

/** The events of a tracker, in memory. A page has at most two events, so that a test reads several pages. */
export class FakeChanges {
  readonly events: Json[] = [];
  /** Called whenever a requested page contains no events. */
  onIdle: () => void = () => {};

  reset(): void {
    this.events.length = 0;
    this.onIdle = () => {};
  }

  add(fields: Json = {}): Json {
    const sequence = this.events.length + 1;
    const type = String(fields.type ?? 'movement.created');
    const event = {
      sequence,
      id: randomUUID(),
      type,
      occurredAt: '2026-01-01T00:00:00.000Z',
      resource: { type: type.split('.')[0], id: randomUUID() },
      actor: { type: 'user', id: randomUUID() },
      requestId: randomUUID(),
      change: null,
      record: null,
      hash: hashOf(sequence),
      ...fields,
    };
    this.events.push(event);
    return event;
  }

  /** Returns the response to GET /changes. */
  list(query: URLSearchParams): Response {
    const head = this.events.length;
    const after = query.get('after');
    const start = query.get('from') === 'now' ? head : after === null ? 0 : this.#positionOf(after);
    const withRecords = query.get('include') === 'record';
    const page = this.events.slice(start, start + 2);
    const end = start + page.length;
    if (page.length === 0) this.onIdle();
    const data = page.map((event) => ({ ...event, record: withRecords ? event.record : null }));
    const feed = { cursor: cursorAt(end), hasMore: end < head, headSequence: head };
    return HttpResponse.json({ data, meta: { apiVersion: 1, requestId: randomUUID(), trackerId, feed } });
  }

  #positionOf(cursor: string): number {
    return [...this.events.keys(), this.events.length].find((sequence) => cursorAt(sequence) === cursor) ?? 0;
  }
}

function cursorAt(sequence: number): string {
  return encodeEventCursor({ sequence, hash: hashOf(sequence) });
}

function hashOf(sequence: number): string {
  return createHash('sha256').update(String(sequence)).digest('hex');
}
