import type { SeededBug } from '../seeded-bug.js';

const isolation = { package: 'apps/server', file: 'src/database/checks/isolation.db.test.ts' } as const;
const requestContext = {
  package: 'apps/server',
  file: 'src/auth/request-context.db.test.ts',
  title: 'openRequestContext sets role and context for one transaction, and leaves neither on the connection',
} as const;

/** Bugs in the isolation of tenants: in the request context, the role, the policies and the foreign keys. */
export const bugsOfIsolation: readonly SeededBug[] = [
  {
    name: 'SET instead of SET LOCAL: the next request on the connection starts with the context of the previous caller',
    changes: [
      {
        file: 'apps/server/migrations/0010_authenticate.sql',
        from: `set_config('app.user_id', p_user_id::text, true)`,
        to: `set_config('app.user_id', p_user_id::text, false)`,
      },
    ],
    caughtBy: requestContext,
  },
  {
    name: 'no FORCE ROW LEVEL SECURITY: the policies of a table do not apply to its owner',
    changes: [
      {
        file: 'apps/server/migrations/0006_movements_and_transfers.sql',
        from: 'alter table app.transfers force row level security;',
        to: '',
      },
    ],
    caughtBy: { ...isolation, title: 'passes the isolation checks that the server runs at its start' },
  },
  {
    name: 'owner role: requests run as the user of DATABASE_URL, to whom no policy applies',
    changes: [
      {
        file: 'apps/server/src/auth/auth.queries.ts',
        from: `tx.initialRole === 'centavo_app' ? undefined : assumeRole(tx, 'centavo_app'),`,
        to: 'undefined,',
      },
    ],
    caughtBy: requestContext,
  },
  {
    name: 'foreign key without the tracker: a movement may name a category of another tracker',
    changes: [
      {
        file: 'apps/server/migrations/0006_movements_and_transfers.sql',
        from: 'foreign key (tracker_id, category_id)\n    references app.categories_in_use (tracker_id, category_id)',
        to: 'foreign key (category_id) references app.categories (id)',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/database/checks/foreign-inserts.db.test.ts',
      title:
        'are refused for a movement in the member’s own tracker that names an account, cashbox or category of a foreign tracker',
    },
  },
  {
    name: 'VOLATILE policy: the context is read again for each row',
    changes: [
      {
        file: 'apps/server/migrations/0001_roles_and_schemas.sql',
        from: 'create function app.current_tracker() returns uuid\nlanguage sql stable',
        to: 'create function app.current_tracker() returns uuid\nlanguage sql volatile',
      },
    ],
    caughtBy: {
      ...isolation,
      title: 'has policies that call only six functions: three that PostgreSQL can inline, and three that it cannot',
    },
  },
];
