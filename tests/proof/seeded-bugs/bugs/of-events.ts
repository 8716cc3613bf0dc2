import type { SeededBug } from '../seeded-bug.js';

const journal = 'apps/server/migrations/0014_journal.sql';
const changes = 'src/resources/events/changes.http.test.ts';
const numbering = 'src/resources/events/numbering.db.test.ts';

/** Bugs that let the change feed miss an event, repeat one, or accept the cursor of a lost event. */
export const bugsOfEvents: readonly SeededBug[] = [
  {
    name: 'a page of changes is read before the pending events are numbered',
    changes: [
      {
        file: 'apps/server/src/resources/events/events.endpoints.ts',
        from: 'const [numbered, read, records] = await',
        to: 'const [read, numbered, records] = await',
      },
      {
        file: 'apps/server/src/resources/events/events.endpoints.ts',
        from: `numberEvents(),
        readEventPage(tx, page, { isLastRead: !readsRecords }),`,
        to: `readEventPage(tx, page),
        numberEvents(),`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: changes,
      title: 'returns every change of the tracker in ascending order, without gaps',
    },
  },
  {
    name: 'two processes number the events of a tracker at the same time, because they do not lock the tracker',
    changes: [
      {
        file: journal,
        from: 'where tracker_id = p_tracker_id for update;',
        to: 'where tracker_id = p_tracker_id;',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: numbering,
      title: 'are assigned once when two processes number events at the same time',
    },
  },
  {
    name: 'a page of changes is read in the order of insertion: an event that commits late is skipped',
    changes: [
      {
        file: 'apps/server/src/resources/events/event-page.queries.ts',
        from: `where e.tracker_id = :trackerId and e.sequence > cast(:after as bigint) and e.sequence`,
        to: `where e.tracker_id = :trackerId and coalesce(e.insert_order > (
        select last.insert_order from app.events last
        where last.tracker_id = :trackerId and last.sequence = cast(:after as bigint)), true) and e.sequence`,
      },
      {
        file: 'apps/server/src/resources/events/event-page.queries.ts',
        from: 'order by e.sequence limit',
        to: 'order by e.insert_order limit',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: changes,
      title: 'returns an event on a later page if it was inserted before a page was read, but committed after the read',
    },
  },
  {
    name: 'numbering deletes pending events that it has not numbered',
    changes: [
      {
        file: journal,
        from: 'where tracker_id = p_tracker_id and id = any (v_ids)',
        to: 'where tracker_id = p_tracker_id',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: numbering,
      title: 'are assigned by the next numbering run if the event is committed during the current run',
    },
  },
  {
    name: 'the hash of a cursor is not compared: after a restore, the server accepts a cursor of a lost event',
    changes: [
      {
        file: 'apps/server/src/resources/events/event-history.rules.ts',
        from: 'if (sequence > head.sequence || hash?.startsWith(hashPrefix) !== true) throw cursorDiverged();',
        to: 'if (sequence > head.sequence || hash === null) throw cursorDiverged();',
      },
    ],
    caughtBy: { package: 'apps/server', file: changes, title: 'returns 409 cursor_diverged if the cursor %s' },
  },
];
