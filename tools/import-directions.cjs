// The directions of imports between packages and modules. `.dependency-cruiser.cjs` generates its rules from this table, and
// `tools/check-map.mjs` compares MAP.md with it.

/** Each package with the packages that it may import. */
const packages = {
  'packages/contracts': [],
  'packages/sdk': ['packages/contracts'],
  'packages/statement-reader': ['packages/contracts'],
  'packages/mcp': ['packages/contracts'],
  'apps/cli': ['packages/contracts', 'packages/sdk', 'packages/statement-reader', 'packages/mcp'],
  'apps/server': ['packages/contracts', 'packages/mcp'],
};

/**
 * Each module of `apps/server/src` with the modules that it may import, and the modules whose types it may import. The row
 * `*.endpoints.ts` applies to files of this name, instead of the row of their module.
 */
const server = {
  'main.ts': { imports: ['commands'] },
  commands: { imports: ['app.ts', 'cluster', 'config', 'database', 'embedded-postgres', 'resources'] },
  'app.ts': {
    imports: [
      'config',
      'http',
      'auth',
      'rate-limit',
      'idempotency',
      'resources',
      'identity',
      'deliveries',
      'encryption',
      'database',
      'optimizations',
    ],
  },
  cluster: { imports: [], types: ['http'] },
  http: { imports: ['auth', 'rate-limit', 'idempotency', 'database', 'optimizations'] },
  '*.endpoints.ts': { imports: ['http', 'auth', 'idempotency', 'database', 'optimizations'], types: ['encryption'] },
  auth: { imports: ['database'] },
  'rate-limit': { imports: [], types: ['auth'] },
  idempotency: { imports: ['database', 'optimizations'], types: ['auth'] },
  resources: { imports: ['database'], types: ['auth', 'encryption'] },
  identity: { imports: ['auth', 'config', 'encryption', 'database'] },
  deliveries: { imports: ['resources', 'database'] },
  encryption: { imports: ['config'] },
  'embedded-postgres': { imports: ['database'] },
  database: { imports: ['optimizations'] },
  optimizations: { imports: [] },
  config: { imports: [] },
};

/** The files that every module of the server may import. */
const serverFiles = ['api-error.ts', 'tracing.ts', 'version.ts'];

/** Each resource of the server with the resources that it may import, through their `index.ts`. */
const resources = {
  context: [],
  credentials: [],
  accounts: ['context'],
  categories: ['context'],
  movements: ['context', 'accounts', 'categories'],
  transfers: ['context', 'accounts', 'categories', 'movements'],
  budgets: ['context', 'accounts', 'categories'],
  webhooks: [],
  events: ['context', 'accounts', 'categories', 'movements', 'transfers', 'budgets'],
};

/** Each module of `apps/cli/src/import` with the modules that it may import. */
const importOfCli = {
  'command.ts': ['run.ts', 'request.ts'],
  'run.ts': ['report.ts', 'undo', 'record', 'confirm.ts', 'read', 'plan', 'request.ts'],
  'report.ts': ['record', 'plan/rows.ts', 'plan/categories.ts', 'request.ts'],
  undo: ['record', 'read', 'plan/pairs', 'plan/recorded', 'request.ts', 'retry.ts'],
  record: ['confirm.ts', 'read', 'plan/pairs', 'plan/rows.ts', 'plan/recorded', 'request.ts', 'retry.ts'],
  'confirm.ts': ['plan/pairs', 'plan/duplicates', 'request.ts'],
  read: ['plan/rows.ts', 'plan/recorded', 'plan/categories.ts', 'plan/accounts.ts', 'request.ts'],
  'plan/pairs': ['plan/rows.ts'],
  'plan/duplicates': ['plan/rows.ts', 'plan/recorded'],
  'plan/rows.ts': ['plan/recorded', 'plan/categories.ts', 'plan/accounts.ts', 'request.ts'],
  'plan/recorded': ['plan/accounts.ts'],
  'plan/categories.ts': ['plan/accounts.ts', 'retry.ts'],
  'plan/accounts.ts': ['request.ts', 'retry.ts'],
  'request.ts': [],
  'retry.ts': [],
};

/** Each module of `packages/statement-reader/src/csv` with the modules that it may import. */
const csv = {
  'open-csv.ts': ['questions', 'choose-columns.ts', 'survey', 'rows', 'plan', 'lines', 'columns', 'findings', 'table'],
  questions: ['survey', 'pending', 'plan', 'columns', 'signs', 'findings', 'table'],
  'choose-columns.ts': ['balances', 'row', 'columns', 'table'],
  survey: ['rows', 'pending', 'balances', 'row', 'plan', 'lines', 'columns', 'signs', 'findings', 'words', 'table'],
  rows: ['balances', 'row', 'plan', 'lines', 'signs', 'table'],
  pending: ['row', 'plan', 'lines', 'findings', 'words', 'table'],
  balances: ['row', 'plan', 'lines', 'columns', 'signs', 'findings', 'words', 'table'],
  row: ['plan', 'lines', 'columns', 'signs', 'findings', 'words', 'table'],
  plan: ['columns', 'signs', 'words', 'table'],
  lines: ['findings', 'words', 'table'],
  columns: ['signs', 'findings', 'table'],
  signs: ['findings', 'words', 'table'],
  findings: ['table'],
  words: ['table'],
  table: [],
};

module.exports = { packages, server, serverFiles, resources, importOfCli, csv };
