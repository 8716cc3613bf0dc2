// The dependency rules. MAP.md describes them, and `npm test` fails when one is broken. The rules of direction are generated from
// `tools/import-directions.cjs`; the other rules are written here.
const { packages, server, serverFiles, resources, importOfCli, csv } = require('./tools/import-directions.cjs');

const serverSource = '^apps/server/src';
const resourceSource = `${serverSource}/resources`;
const endpointsFile = '\\.endpoints\\.ts$';
const testFile = '\\.(?:test|db\\.test|http\\.test)\\.ts$';

/** Files that are not shipped. Most rules ignore their imports. */
const notShipped = [testFile, '/test-support/', '^tools/', '/[^/]+\\.config\\.ts$'];

/** The entry `@centavo/sdk/testing`, for the tests of the SDK's users. */
const sdkTesting = '^packages/sdk/src/testing/';

/** Returns a pattern for npm packages, in any folder that pnpm installs them in. */
const npm = (names) => `node_modules/(?:${names})(?:/|$)`;

/** Returns a pattern for modules below a path: folders by their name, files by their name with its extension. */
const modulesBelow = (path, names) => {
  const patterns = names.map((name) => (name.endsWith('.ts') ? `${name.replaceAll('.', '\\.')}$` : `${name}/`));
  return `${path}/(?:${patterns.join('|')})`;
};
const serverModules = (names) => modulesBelow(serverSource, names);

/**
 * Returns the rules of one row of the server's table. They forbid imports of modules that the row does not list, and imports of values
 * from modules that it lists for types.
 */
function serverRules([name, { imports, types = [] }]) {
  const isEndpoints = name === '*.endpoints.ts';
  const own = isEndpoints ? `${serverSource}/$1/` : serverModules([name]);
  const from = isEndpoints
    ? { path: `${serverSource}/([^/]+)/.*${endpointsFile}`, pathNot: notShipped }
    : { path: own, pathNot: [...notShipped, endpointsFile] };
  const allowed = serverModules([...imports, ...serverFiles]);
  const ruleName = isEndpoints ? 'endpoints' : name.replace('.ts', '');
  const rules = [
    {
      name: `server-${ruleName}-imports`,
      comment: `${name} imports only the modules that its row in tools/import-directions.cjs lists.`,
      severity: 'error',
      from,
      to: { path: serverSource, pathNot: [own, allowed, ...(types.length > 0 ? [serverModules(types)] : [])] },
    },
  ];
  if (types.length === 0) return rules;
  return [
    ...rules,
    {
      name: `server-${ruleName}-imports-types`,
      comment: `${name} imports only types from ${types.join(', ')}: it gets the values as arguments.`,
      severity: 'error',
      from,
      to: { path: serverModules(types), dependencyTypesNot: ['type-only'] },
    },
  ];
}

/** Returns the rule of one row of the table of resources. */
function resourceRule([name, imports]) {
  return {
    name: `resource-${name}-imports`,
    comment: `${name} imports only the resources that its row in tools/import-directions.cjs lists.`,
    severity: 'error',
    from: { path: `${resourceSource}/${name}/`, pathNot: notShipped },
    to: { path: `${resourceSource}/`, pathNot: `${resourceSource}/(?:${[name, ...imports].join('|')})/` },
  };
}

/**
 * Returns the rules of a table that lists the modules of a folder, each with the modules that it may import.
 * @param folder.name the first word of the names of the rules
 */
function folderRules({ name, path, table }) {
  const rows = Object.entries(table).map(([module, imports]) => ({
    name: `${name}-${module.replace('.ts', '')}-imports`,
    comment: `${module} imports only the modules that its row in tools/import-directions.cjs lists.`,
    severity: 'error',
    from: { path: modulesBelow(path, [module]), pathNot: notShipped },
    to: { path: `${path}/`, pathNot: modulesBelow(path, [module, ...imports]) },
  }));
  const listed = {
    name: `${name}-modules-are-listed`,
    comment: 'A module that tools/import-directions.cjs does not list has no rule of direction.',
    severity: 'error',
    from: { path: `${path}/`, pathNot: [...notShipped, modulesBelow(path, Object.keys(table))] },
    to: {},
  };
  return [...rows, listed];
}

/** Returns the rule of one row of the table of packages. It applies to tests too. */
function packageRule([name, imports]) {
  return {
    name: `${name.replace('/', '-')}-imports`,
    comment: `${name} imports only the packages that its row in tools/import-directions.cjs lists.`,
    severity: 'error',
    from: { path: `^${name}/` },
    to: { path: '^(?:packages|apps)/', pathNot: `^(?:${[name, ...imports].join('|')})/` },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Modules in a cycle can only be understood together, and their order of execution depends on the first import. ' +
        'Cycles of type imports count too: adding the import of a value makes them cycles at run time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'This file imports no file, and no file imports it, so it is unused.',
      severity: 'error',
      from: { orphan: true, pathNot: [...notShipped, '\\.d\\.ts$', '/src/(?:index|main|calls)\\.ts$', '^tests/'] },
      to: {},
    },
    {
      name: 'no-unresolved',
      comment: 'No rule can check an import that does not resolve.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-packages',
      comment:
        'A package that package.json does not declare is installed by chance, and may be missing after the next install.',
      severity: 'error',
      // The SDK's testing entry imports msw, which is an optional peer dependency and also a development dependency. The build bundles
      // the development dependencies of the CLI into its file; a test installs the packed CLI and runs it.
      from: { pathNot: [...notShipped, sdkTesting, '^apps/cli/src'] },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
    {
      name: 'no-undeclared-packages-in-cli',
      comment:
        'A package that package.json does not declare is installed by chance, and may be missing after the next install.',
      severity: 'error',
      from: { path: '^apps/cli/src', pathNot: notShipped },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },

    // Packages.
    ...Object.entries(packages).map(packageRule),
    {
      name: 'contracts-import-zod-only',
      comment: 'Every package imports the contracts and loads their dependencies with them, in browsers too.',
      severity: 'error',
      from: { path: '^packages/contracts/src', pathNot: notShipped },
      to: { pathNot: ['^packages/contracts/src', npm('zod')] },
    },
    {
      name: 'sdk-imports-contracts-only',
      comment: 'The published SDK has no dependency and runs in every runtime that has fetch.',
      severity: 'error',
      from: { path: '^packages/sdk/src', pathNot: [...notShipped, sdkTesting] },
      to: { pathNot: ['^packages/sdk/src', '^packages/contracts/src'] },
    },
    {
      name: 'statement-reader-imports-calls-and-csv-parse-only',
      comment: 'The statement reader loads csv-parse and no other npm package, so neither zod nor the SDK.',
      severity: 'error',
      from: { path: '^packages/statement-reader/src', pathNot: notShipped },
      to: {
        pathNot: ['^packages/statement-reader/src', '^packages/contracts/src/calls\\.ts$', npm('csv-parse')],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'mcp-imports-calls-and-the-mcp-server-only',
      comment: 'The MCP tools run in the CLI and in the server. Each of these two programs passes in its own executor.',
      severity: 'error',
      from: { path: '^packages/mcp/src', pathNot: notShipped },
      to: {
        pathNot: ['^packages/mcp/src', '^packages/contracts/src/calls\\.ts$', npm('@modelcontextprotocol/server')],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'sdk-testing-imports-msw',
      comment: 'The testing entry needs msw, its optional peer, and no other package.',
      severity: 'error',
      from: { path: sdkTesting, pathNot: notShipped },
      to: { pathNot: ['^packages/sdk/src', '^packages/contracts/src', npm('msw')] },
    },
    {
      name: 'sdk-does-not-import-testing',
      comment: 'A program that uses the client must not load the fake server or msw.',
      severity: 'error',
      from: { path: '^packages/sdk/src', pathNot: [...notShipped, sdkTesting] },
      to: { path: sdkTesting },
    },
    {
      name: 'cli-imports-contracts-without-zod',
      comment:
        'Each command starts a new CLI process, so the CLI imports only the entry of the contracts that does not load zod.',
      severity: 'error',
      from: { path: '^apps/cli/src', pathNot: notShipped },
      to: { path: '^packages/contracts/src', pathNot: '^packages/contracts/src/calls\\.ts$' },
    },
    {
      name: 'no-imports-of-apps',
      comment: 'Apps are started, not imported. Tests may import only the test-support folder of an app.',
      severity: 'error',
      from: { pathNot: '^apps/' },
      to: { path: '^apps/', pathNot: '^apps/[^/]+/test-support/' },
    },
    {
      name: 'no-imports-of-tests',
      comment: 'Test code is not shipped.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/[^/]+/src', pathNot: [testFile, '/test-support/'] },
      to: { path: ['/test-support/', testFile, '^tests/'] },
    },

    // Modules of the server.
    ...Object.entries(server).flatMap(serverRules),
    {
      name: 'server-modules-are-listed',
      comment: 'A module that tools/import-directions.cjs does not list has no rule of direction.',
      severity: 'error',
      from: {
        path: serverSource,
        pathNot: [
          ...notShipped,
          serverModules([...Object.keys(server).filter((name) => name !== '*.endpoints.ts'), ...serverFiles]),
        ],
      },
      to: {},
    },
    {
      name: 'server-shared-files-import-no-module',
      comment: 'Every module may import these files, so their import of a module would make a cycle.',
      severity: 'error',
      from: { path: serverModules(serverFiles) },
      to: { path: serverSource, pathNot: serverModules(serverFiles) },
    },

    // Resources of the server.
    ...Object.entries(resources).map(resourceRule),
    {
      name: 'resources-are-listed',
      comment: 'A resource that tools/import-directions.cjs does not list has no rule of direction.',
      severity: 'error',
      from: {
        path: `${resourceSource}/`,
        pathNot: [...notShipped, `${resourceSource}/(?:${Object.keys(resources).join('|')})/`],
      },
      to: {},
    },
    {
      name: 'resources-import-resources-through-index',
      comment: 'index.ts is the interface of a resource. Its other files can change without changes elsewhere.',
      severity: 'error',
      from: { path: `${resourceSource}/([^/]+)/`, pathNot: notShipped },
      to: {
        path: `${resourceSource}/`,
        pathNot: [`${resourceSource}/$1/`, `${resourceSource}/[^/]+/index\\.ts$`],
      },
    },
    {
      name: 'resources-through-their-index',
      comment: 'index.ts is the interface of a resource for the modules outside the resources, too.',
      severity: 'error',
      from: { path: serverSource, pathNot: [...notShipped, `${resourceSource}/`] },
      to: { path: `${resourceSource}/`, pathNot: `${resourceSource}/[^/]+/index\\.ts$` },
    },

    // Modules of the import and of the CSV reader.
    ...folderRules({ name: 'import', path: '^apps/cli/src/import', table: importOfCli }),
    ...folderRules({ name: 'csv', path: '^packages/statement-reader/src/csv', table: csv }),

    // Libraries.
    {
      name: 'redis-in-its-store-only',
      comment: 'Only the rate limiter uses Redis, and it loads the client only when REDIS_URL is set.',
      severity: 'error',
      from: { path: serverSource, pathNot: [...notShipped, `${serverSource}/rate-limit/redis-store\\.ts$`] },
      to: { path: npm('iovalkey') },
    },
    {
      name: 'express-in-http-and-endpoints-only',
      comment: 'Rules and queries get values, not requests, so that tests need no server.',
      severity: 'error',
      from: { path: serverSource, pathNot: [...notShipped, `${serverSource}/http/`, endpointsFile] },
      to: { path: npm('express|@types/express|@types/express-serve-static-core') },
    },
    {
      name: 'sql-in-queries-only',
      comment: 'Only queries translate between camelCase and snake_case, and file names show where the SQL is.',
      severity: 'error',
      from: {
        path: serverSource,
        pathNot: [...notShipped, `${serverSource}/(?:database|embedded-postgres)/`, '\\.queries\\.ts$'],
      },
      to: { path: npm('knex|pg|pg-protocol|@types/pg') },
    },
  ],

  options: {
    exclude: { path: ['(?:^|/)(?:dist|coverage|\\.turbo|\\.cache)/'] },
    doNotFollow: { path: 'node_modules' },
    // Type imports are dependencies too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // Workspace packages resolve to their sources, as in tests, so that the check needs no build.
      conditionNames: ['@centavo/source', 'import', 'types', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
