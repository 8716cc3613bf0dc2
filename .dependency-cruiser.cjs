// The arrows of the house (docs and MAP.md name the rooms). A rule that is broken fails `npm test`.

const server = '^apps/server/src';
const nouns = 'context|accounts|categories|movements|transfers|budgets|credentials';
const testFile = '\\.(?:test|db\\.test|http\\.test)\\.ts$';

/** Files that are not part of the product: their imports obey the walls between packages, not the rooms of the server. */
const outsideTheRooms = [testFile, '/test-support/', '/[^/]+\\.config\\.ts$'];

/** What the SDK offers to its users' tests. */
const sdkTesting = '^packages/sdk/src/testing/';

/** Packages of npm. Which folder they lie in is pnpm's affair. */
const npm = (names) => `node_modules/(?:${names})(?:/|$)`;

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Modules in a cycle can only be understood together, and their order of execution depends on who imports first. ' +
        'Cycles of types count too: they join the same modules, and become real when a value is added.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is left over.',
      severity: 'error',
      from: { orphan: true, pathNot: [...outsideTheRooms, '\\.d\\.ts$', '/src/(?:index|main|calls)\\.ts$', '^tests/'] },
      to: {},
    },
    {
      name: 'no-unresolved',
      comment: 'An import that cannot be resolved is also one that no rule here can judge.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'A package that package.json does not name is there by luck, and gone after the next install.',
      severity: 'error',
      // msw is a peer of the SDK's testing entry, and a development dependency for its own tests.
      from: { pathNot: [...outsideTheRooms, sdkTesting] },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },

    // Between packages: contracts ◄ sdk ◄ cli, contracts ◄ server.
    {
      name: 'contracts-imports-zod-only',
      comment: 'Everybody imports the contracts, so everybody pays for what they import; and they run in a browser.',
      severity: 'error',
      from: { path: '^packages/contracts/src', pathNot: outsideTheRooms },
      to: { pathNot: ['^packages/contracts/src', npm('zod')] },
    },
    {
      name: 'sdk-imports-contracts-only',
      comment: 'The SDK is published: it runs wherever fetch does, and brings nothing along.',
      severity: 'error',
      from: { path: '^packages/sdk/src', pathNot: [...outsideTheRooms, sdkTesting] },
      to: { pathNot: ['^packages/sdk/src', '^packages/contracts/src'] },
    },
    {
      name: 'sdk-testing-imports-msw-beside-it',
      comment: 'The entry for users’ own tests stands on msw, its optional peer, and on nothing else.',
      severity: 'error',
      from: { path: sdkTesting, pathNot: outsideTheRooms },
      to: { pathNot: ['^packages/sdk/src', '^packages/contracts/src', npm('msw')] },
    },
    {
      name: 'sdk-knows-no-testing',
      comment: 'Who records money does not load a fake of it, nor msw.',
      severity: 'error',
      from: { path: '^packages/sdk/src', pathNot: [...outsideTheRooms, sdkTesting] },
      to: { path: sdkTesting },
    },
    {
      name: 'cli-speaks-through-the-sdk',
      comment: 'What the CLI needs from the API, every user of the SDK needs too.',
      severity: 'error',
      from: { path: '^apps/cli' },
      to: { path: ['^packages/contracts', '^apps/server'] },
    },
    {
      name: 'server-knows-no-client',
      comment: 'A server that calls its own client would prove only that both share a mistake.',
      severity: 'error',
      from: { path: '^apps/server' },
      to: { path: ['^packages/sdk', '^apps/cli'] },
    },
    {
      name: 'nothing-imports-an-app',
      comment: 'Apps are started, not imported; also by tests, which may share only what an app offers for testing.',
      severity: 'error',
      from: { pathNot: '^apps/' },
      to: { path: '^apps/', pathNot: '^apps/[^/]+/test-support/' },
    },
    {
      name: 'product-knows-no-tests',
      comment: 'Test code is not shipped.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/[^/]+/src', pathNot: testFile },
      to: { path: ['/test-support/', testFile, '^tests/'] },
    },

    // Layers of the server: http → rate-limit, auth → idempotency → resources → database. Each may import those to its right, and a type of who is
    // calling or of a recorded write may be named by those behind it. Endpoints stand at the door of their noun and may go out.
    {
      name: 'only-the-entrance-knows-every-room',
      comment: 'main, its commands and app put the rooms together; a room that imported them would know all others.',
      severity: 'error',
      from: { path: `${server}/(?!commands/)[^/]+/`, pathNot: outsideTheRooms },
      to: { path: `${server}/(?:main|app)\\.ts$` },
    },
    {
      name: 'http-is-the-outermost-room',
      comment: 'What decides about money does not know that it was asked over HTTP. Endpoints are the doors, and may.',
      severity: 'error',
      from: {
        path: `${server}/(?:auth|idempotency|resources|identity|database)/`,
        pathNot: [...outsideTheRooms, '\\.endpoints\\.ts$'],
      },
      to: { path: `${server}/http/` },
    },
    {
      name: 'only-the-corridor-asks-the-limits',
      comment:
        'How often a caller may come is settled between who they are and what they may do; nothing further in asks.',
      severity: 'error',
      from: { path: `${server}/(?:auth|idempotency|resources|identity|database)/`, pathNot: outsideTheRooms },
      to: { path: `${server}/rate-limit/` },
    },
    {
      name: 'limits-know-no-other-room',
      comment:
        'They count by a name. Whose it is comes in as a value, and no limit costs a round trip to the database.',
      severity: 'error',
      from: { path: `${server}/rate-limit/`, pathNot: outsideTheRooms },
      to: {
        path: `${server}/(?:http|auth|idempotency|resources|identity|database)/`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'access-stands-before-writes-and-resources',
      comment: 'Who is calling is settled before anything is written or read.',
      severity: 'error',
      from: {
        path: `${server}/(?:idempotency|resources|database)/`,
        pathNot: [...outsideTheRooms, '\\.endpoints\\.ts$'],
      },
      to: { path: `${server}/auth/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'writes-stand-before-resources',
      comment: 'An act on a noun does not know that it runs at most once; its endpoint wraps it.',
      severity: 'error',
      from: { path: `${server}/(?:resources|database)/`, pathNot: [...outsideTheRooms, '\\.endpoints\\.ts$'] },
      to: { path: `${server}/idempotency/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'http-reaches-no-noun',
      comment: 'The corridor is the same for every noun: endpoints are handed to it by app.',
      severity: 'error',
      from: { path: `${server}/http/`, pathNot: outsideTheRooms },
      to: { path: `${server}/resources/` },
    },
    {
      name: 'database-is-the-innermost-room',
      comment: 'Pools, transactions and migrations serve every noun and know none.',
      severity: 'error',
      from: { path: `${server}/database/`, pathNot: outsideTheRooms },
      to: { path: `${server}/(?:http|auth|idempotency|resources|identity)/` },
    },

    // Between nouns: context ◄ accounts, categories ◄ movements, transfers, budgets.
    {
      name: 'nouns-meet-at-the-door',
      comment: 'What a noun offers to the others is its index.ts; the rest can change without asking them.',
      severity: 'error',
      from: { path: `${server}/resources/([^/]+)/`, pathNot: outsideTheRooms },
      to: {
        path: `${server}/resources/[^/]+/`,
        pathNot: [`${server}/resources/$1/`, `${server}/resources/[^/]+/index\\.ts$`],
      },
    },
    {
      name: 'context-and-credentials-import-no-noun',
      comment: 'context is what the others build on; credentials stand apart from the books.',
      severity: 'error',
      from: { path: `${server}/resources/(context|credentials)/`, pathNot: outsideTheRooms },
      to: { path: `${server}/resources/(?:${nouns})/`, pathNot: `${server}/resources/$1/` },
    },
    {
      name: 'accounts-and-categories-import-context-only',
      comment: 'They are what movements are made of, and do not know of movements, nor of each other.',
      severity: 'error',
      from: { path: `${server}/resources/(accounts|categories)/`, pathNot: outsideTheRooms },
      to: { path: `${server}/resources/(?:${nouns})/`, pathNot: `${server}/resources/(?:context|$1)/` },
    },
    {
      name: 'movements-transfers-budgets-stand-side-by-side',
      comment:
        'What two of them share belongs to accounts or categories, or to the database. But a transfer is two movements, ' +
        'and shows them as such.',
      severity: 'error',
      from: { path: `${server}/resources/(movements|transfers|budgets)/`, pathNot: outsideTheRooms },
      to: {
        path: `${server}/resources/(?:${nouns})/`,
        pathNot: [
          `${server}/resources/(?:context|accounts|categories|$1)/`,
          `${server}/resources/movements/index\\.ts$`,
        ],
      },
    },
    {
      name: 'identity-has-one-door',
      comment:
        'Another issuer may take its place, so only access, through the interface in index.ts, and the entrance know it.',
      severity: 'error',
      from: { path: `${server}/(?!identity/|app\\.ts$|main\\.ts$|auth/)`, pathNot: outsideTheRooms },
      to: { path: `${server}/identity/` },
    },
    {
      name: 'access-uses-the-door-of-identity',
      comment: 'Behind index.ts is the embedded issuer; access must work with an external one.',
      severity: 'error',
      from: { path: `${server}/auth/`, pathNot: outsideTheRooms },
      to: { path: `${server}/identity/`, pathNot: `${server}/identity/index\\.ts$` },
    },

    // Who may know which library.
    {
      name: 'redis-stays-in-the-redis-store',
      comment: 'It is there for the limits alone, and loaded only when REDIS_URL is set.',
      severity: 'error',
      from: { path: server, pathNot: [...outsideTheRooms, `${server}/rate-limit/redis-store\\.ts$`] },
      to: { path: npm('iovalkey') },
    },
    {
      name: 'express-stays-at-the-door',
      comment: 'Use cases and queries get values, not requests: they are tested without a server.',
      severity: 'error',
      from: { path: server, pathNot: [...outsideTheRooms, `${server}/http/`, '\\.endpoints\\.ts$'] },
      to: { path: npm('express|@types/express|@types/express-serve-static-core') },
    },
    {
      name: 'sql-stays-in-queries',
      comment:
        'One place translates between camelCase and snake_case, and every statement can be found by its file name.',
      severity: 'error',
      from: {
        path: server,
        pathNot: [...outsideTheRooms, `${server}/(?:database|embedded-postgres)/`, '\\.queries\\.ts$'],
      },
      to: { path: npm('knex|pg|@types/pg') },
    },
  ],

  options: {
    exclude: { path: ['(?:^|/)(?:dist|coverage|\\.turbo|\\.cache)/'] },
    doNotFollow: { path: 'node_modules' },
    // Types count: a type of another room binds to it as much as a function does.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // Workspace packages are judged by their sources, as in tests; their dist need not exist.
      conditionNames: ['@centavo/source', 'import', 'types', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
