import { createHash } from 'node:crypto';
import { canonicalJson, eventLeaf, genesisText } from '@centavo/contracts/calls';
import { success, trackerId } from './fake-responses.js';

type Json = Record<string, unknown>;

const actorId = '0199c5a0-7d3e-7c1a-9f00-000000000001';
const sha256 = (...parts: readonly (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** The events of a tracker, with sequence numbers and a hash chain like those of the server. */
export class FakeEvents {
  /** The events that `GET /audit-events` returns. */
  readonly rows: Json[] = [];
  /** The events that `GET /security-events` returns. */
  readonly ofUser: Json[] = [];
  /** The newest event that the server has removed. If it has removed none, the number is 0 and the hash is the genesis hash. */
  floor = { sequence: 0, hash: sha256(genesisText(trackerId)) };
  /** Fields that replace those in the response of `GET /audit-events/head`, so that the head does not match the list of events. */
  falseHead: { readonly sequence?: number; readonly hash?: string } = {};

  reset(): void {
    this.rows.length = 0;
    this.ofUser.length = 0;
    this.falseHead = {};
    this.floor = { sequence: 0, hash: sha256(genesisText(trackerId)) };
  }

  /** Adds an event about a record, with the digest of the record's state. */
  add(type: string, resource: { type: string; id: string }, state: object | null = null): Json {
    const before = this.rows.at(-1) ?? this.floor;
    const sequence = Number(before.sequence) + 1;
    const salt = sequence.toString(16).padStart(32, '0');
    const id = `0199c5a0-0000-7000-8000-${String(sequence).padStart(12, '0')}`;
    const event = {
      sequence,
      id,
      type,
      occurredAt: '2026-01-01T12:00:00.000Z',
      resource,
      actor: { type: 'user', id: actorId },
      requestId: id,
      change: null,
      userId: actorId,
      credentialId: null,
      previousHash: String(before.hash),
      changeDigest: null,
      stateDigest: state === null ? null : sha256(Buffer.from(salt, 'hex'), canonicalJson(state)),
      salt,
    };
    const row = { ...event, hash: sha256(Buffer.from(String(before.hash), 'hex'), eventLeaf(event, trackerId)) };
    this.rows.push(row);
    return row;
  }

  respond(route: string, { searchParams }: URL): Response | undefined {
    switch (route) {
      case 'GET /audit-events': {
        const wanted = searchParams.get('resourceId');
        const rows = this.rows.filter(({ resource }) => wanted === null || (resource as Json).id === wanted);
        return page(searchParams.get('order') === 'asc' ? rows : rows.toReversed(), searchParams);
      }
      case 'GET /audit-events/head': {
        const { sequence, hash, occurredAt = null } = (this.rows.at(-1) ?? this.floor) as Json;
        const floor = { floorSequence: this.floor.sequence, floorHash: this.floor.hash };
        return success({ sequence, hash, occurredAt, ...floor, ...this.falseHead });
      }
      case 'GET /security-events':
        return page(this.ofUser, searchParams);
      default:
        return undefined;
    }
  }
}

function page(all: readonly Json[], parameters: URLSearchParams): Response {
  const limit = Number(parameters.get('limit') ?? 50);
  const start = Number(parameters.get('cursor') ?? 0);
  const rows = all.slice(start, start + limit);
  const hasMore = start + limit < all.length;
  const nextCursor = hasMore ? String(start + limit) : null;
  const pagination = { limit, offset: null, count: rows.length, total: null, hasMore, nextOffset: null, nextCursor };
  return success(rows, { pagination });
}
