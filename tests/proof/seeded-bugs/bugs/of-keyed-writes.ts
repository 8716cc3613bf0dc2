import type { SeededBug } from '../seeded-bug.js';

const handler = 'apps/server/src/http/handle-operation.ts';
const recording = 'apps/server/src/idempotency/idempotency.queries.ts';
const authentication = 'apps/server/migrations/0010_authenticate.sql';
const creatingTests = 'src/resources/movements/create-movement.http.test.ts';
const replayingTests = 'src/resources/movements/replay-movement.http.test.ts';

// Consecutive fragments of the handler, which some bugs reorder or replace.
const replaying = `const write = toKeyedWrite(operation, authorized);
  const decision = write && decideReplay({ facts: authorized.facts, requestId, ...write });
  if (decision?.kind === 'duplicate_in_progress') throw new DuplicateInProgress();
  if (decision?.kind === 'own' || decision?.kind === 'replay') {
    const answer = storedAnswer(request, decision);
    return authorized.valid.isDryRun ? dryRunAnswer(answer, noEffects(authorized.access)) : answer;
  }
  if (authorized.valid.isDryRun) return runDryRun(operation, { tx, authorized, endpoint, write });`;
const loading = 'const loaded = await (authorized.prefetched ?? loadFor(endpoint, endpointRequest));';
// Begins with the line break and the indentation, because a dry run has the same line with more indentation.
const handling = '\n  const outcome = await endpoint.handle(endpointRequest, loaded);';
const body = `${replaying}\n  ${loading}${handling}`;

/** Bugs of idempotency keys: a write is recorded twice, or a replay returns another response. */
export const bugsOfKeyedWrites: readonly SeededBug[] = [
  {
    name: 'check-then-insert: ignores a key that a concurrent duplicate has just recorded',
    changes: [
      {
        file: 'apps/server/src/idempotency/replay.ts',
        from: "return facts.keyLocked === false ? { kind: 'duplicate_in_progress' } : { kind: 'first' };",
        to: "return { kind: 'first' };",
      },
      {
        file: recording,
        from: 'cast(:data as json), cast(:requestId as uuid))`,',
        to: 'cast(:data as json), cast(:requestId as uuid)) on conflict do nothing`,',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/credentials/rotation.http.test.ts',
      title:
        'lets the old and the new API key record only one movement when both send it concurrently under one Idempotency-Key',
    },
  },
  {
    name: 'effect before key: the write is executed before its key is looked up',
    changes: [{ file: handler, from: body, to: `${loading}${handling}\n  ${replaying}` }],
    caughtBy: {
      package: 'apps/server',
      file: replayingTests,
      title: 'returns 200 with the data and the ETag of the first response, and records nothing',
    },
  },
  {
    name: 'key after If-Match: a retry after a lost response fails, because the version is checked before the key',
    changes: [
      {
        file: handler,
        from: body,
        to: `${loading}
  const corrected = endpointRequest.ifMatch.length > 0 ? await endpoint.handle(endpointRequest, loaded) : undefined;
  ${replaying}
  const outcome = corrected ?? (await endpoint.handle(endpointRequest, loaded));`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/movements/correct-movement.http.test.ts',
      title:
        'replays the first response for a repeated Idempotency-Key, although the first request has made the ETag stale',
    },
  },
  {
    name: 'a refusal is stored: its key can never be used for the corrected request',
    changes: [
      {
        file: handler,
        from: handling,
        to: `
  let refusal: any;
  const outcome = await endpoint.handle(endpointRequest, loaded).catch((error: unknown) => {
    refusal = error;
    return { data: null };
  });`,
      },
      {
        file: handler,
        from: 'return successAnswer(request, { outcome, trackerId });',
        to: `if (refusal !== undefined) {
    const { status, headers, code, message, details } = refusal;
    return { status, headers, body: { error: { code, message, details }, meta: { apiVersion: 1, requestId } } };
  }
  return successAnswer(request, { outcome, trackerId });`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: creatingTests,
      title: 'rejects %s, names the field and records nothing',
    },
  },
  {
    name: 'fingerprint with defaults: a retry after midnight counts as another request',
    changes: [
      {
        file: 'apps/server/src/http/record-outcome.ts',
        from: 'trackerId: tracker.id, body });',
        to: 'trackerId: tracker.id, body: { occurredOn: tracker.today, ...(body as object) } });',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: replayingTests,
      title:
        'replays the response to a request without a date, even if a new time zone of the tracker changes the default date',
    },
  },
  {
    name: 'idempotency keys belong to one credential: a retry after the credential was rotated is executed again',
    changes: [
      {
        file: authentication,
        from: `'lineage:' || c.lineage_id as root`,
        to: `'lineage:' || c.id as root`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/credentials/rotation.http.test.ts',
      title: 'returns the stored response of a request of the first key to the new key, even after several rotations',
    },
  },
];
