import type { SeededBug } from '../seeded-bug.js';

/** Mistakes with amounts, dates, texts, ETags and headers. */
export const bugsOfValues: readonly SeededBug[] = [
  {
    name: 'money as a float: the last digits of a large balance are lost',
    changes: [
      {
        file: 'apps/server/src/resources/movements/movements.queries.ts',
        from: `when :type = 'income' then cast(:amount as numeric)`,
        to: `when :type = 'income' then cast(:amount as double precision)`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/movements/create-movement.http.test.ts',
      title: 'keeps the balance exact to the cent when several movements have the maximum amount',
    },
  },
  {
    name: 'NaN passes a check that has no upper bound',
    changes: [
      {
        file: 'apps/server/migrations/0001_roles_and_schemas.sql',
        from: 'check (value > 0 and value < 1e15)',
        to: 'check (value > 0)',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/database/checks/isolation.db.test.ts',
      title: 'are rejected by the table app.movements when they are %s',
    },
  },
  {
    name: 'a Date instead of a string: the driver reads a day as a time in the time zone of the process',
    changes: [
      {
        file: 'apps/server/src/database/pool.ts',
        from: 'pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);',
        to: '',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/database/pool.db.test.ts',
      title: 'a query returns a date as a string',
    },
  },
  {
    name: 'ETag of the content: a record that was changed and changed back seems unchanged',
    changes: [
      {
        file: 'apps/server/src/resources/movements/versions.rules.ts',
        from: `|\${movement.version}\``,
        to: '|` + JSON.stringify({ ...movement, version: undefined, updated_at: undefined })',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/movements/decide-correction.test.ts',
      title: 'has 22 characters, is strong, and changes when the version changes',
    },
  },
  {
    name: 'a weak tag matches, although a proxy may have derived it from another version',
    changes: [
      {
        file: 'apps/server/src/http/request.ts',
        from: 'const tags = splitTags(header);',
        to: `const tags = splitTags(header).map((tag) => tag.replace(/^W\\//, ''));`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/movements/correct-movement.http.test.ts',
      title: 'returns INVALID_FORMAT for If-Match %j',
    },
  },
  {
    name: 'repeated headers are joined: two keys become a third key',
    changes: [
      {
        file: 'apps/server/src/http/request.ts',
        from: 'if (repeated.length > 0) {',
        to: 'if (repeated.length > singleHeaders.length) {',
      },
      {
        file: 'apps/server/src/http/request.ts',
        from: 'const one = (name: string) => request.headersDistinct[name.toLowerCase()]?.[0];',
        to: `const one = (name: string) => request.headersDistinct[name.toLowerCase()]?.join(', ');`,
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/http/handle-operation.http.test.ts',
      title: 'is refused when it occurs twice: %s',
    },
  },
  {
    name: 'a NUL in a text reaches PostgreSQL, which refuses it',
    changes: [
      {
        file: 'packages/contracts/src/values/fields.ts',
        from: 'const [found] = forbidden[kind].exec(text) ?? [];',
        to: "const [found] = forbidden[kind].exec(text.replaceAll('\\0', '')) ?? [];",
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/resources/movements/create-movement.http.test.ts',
      title: 'rejects %s, names the field and records nothing',
    },
  },
];
