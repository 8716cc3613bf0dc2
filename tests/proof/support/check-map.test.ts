import { describe, expect, it } from 'vitest';
import { findMapMistakes, formatDirections } from '../../../tools/check-map.mjs';

const directions = {
  packages: { 'packages/contracts': [], 'packages/sdk': ['packages/contracts'] },
  server: { http: { imports: ['auth', 'database'] }, auth: { imports: ['database'], types: ['http'] } },
  resources: { context: [], accounts: ['context'] },
  importOfCli: { read: ['plan'], plan: [] },
  csv: { 'open-csv.ts': ['table'], table: [] },
};
const paths = [
  'MAP.md',
  'apps/server/src/http/',
  'apps/server/src/http/app.ts',
  'apps/server/src/auth/access.queries.ts',
];

function mistakesOf(text: string, block = formatDirections(directions)) {
  return findMapMistakes({
    text: `${text}\n\n## Direction of imports\n\n\`\`\`text\n${block}\`\`\`\n`,
    paths,
    directions,
  });
}

describe('formatDirections', () => {
  it('returns a row for each package, module and resource', () => {
    expect(formatDirections(directions)).toBe(
      [
        'packages',
        '  packages/contracts → none',
        '  packages/sdk       → packages/contracts',
        '',
        'modules of apps/server/src',
        '  http               → auth, database',
        '  auth               → database, types of http',
        '',
        'resources of apps/server/src/resources',
        '  context            → none',
        '  accounts           → context',
        '',
        'modules of apps/cli/src/import',
        '  read               → plan',
        '  plan               → none',
        '',
        'modules of packages/statement-reader/src/csv',
        '  open-csv.ts        → table',
        '  table              → none',
        '',
      ].join('\n'),
    );
  });
});

describe('findMapMistakes', () => {
  it('accepts paths relative to the repository or to the source of the server, bare names, placeholders and patterns', () => {
    const text =
      '`MAP.md` `apps/server/src/http/` `http/app.ts` `app.ts` `*.queries.ts` `apps/server/src/<module>/` `node MAP.md`';
    expect(mistakesOf(text)).toEqual([]);
  });

  it('ignores text in backticks that is not a path', () => {
    expect(
      mistakesOf('`POST /movements` `/v1/identity` `@centavo/sdk/testing` `routes.updateAccount` `decide…`'),
    ).toEqual([]);
  });

  it.each(['http/router.ts', 'router.ts', 'apps/server/src/missing/', '*.view.ts', 'node tools/missing.mjs'])(
    'reports `%s`, which does not exist',
    (code) => {
      expect(mistakesOf(`\`${code}\``)).toEqual([`\`${code.replace('node ', '')}\` does not exist.`]);
    },
  );

  it('reports import directions that differ from the dependency rules', () => {
    const block = formatDirections(directions).replace('auth, database', 'auth');
    expect(mistakesOf('', block)).toEqual([expect.stringContaining('The import directions differ')]);
  });

  it('reports a MAP.md without import directions', () => {
    expect(findMapMistakes({ text: '# Map', paths, directions })).toEqual([expect.stringContaining('no block')]);
  });
});
