import type { Config } from '../config/env.js';
import type { LoginFault } from '../database/checks/start-checks.queries.js';
import type { Demo } from './demo.js';

/** Returns the warnings that are printed before the startup message, including that for a demo that could not be created. Pure. */
export function startupWarnings(start: {
  readonly config: Pick<Config, 'demo' | 'databaseUrl' | 'warnings'>;
  /** The rights of the serving logins that requests do not need. */
  readonly loginFaults: readonly LoginFault[];
  readonly hasDemo: boolean;
}): string[] {
  const { config, loginFaults, hasDemo } = start;
  const warnings = [...config.warnings, ...loginWarnings(loginFaults)];
  if (config.demo && !hasDemo) {
    warnings.push(
      config.databaseUrl === null
        ? 'DEMO=on is ignored: it needs an embedded database without users, and this one has some. Set DATA_DIR to ' +
            'another directory to create the demo there.'
        : 'DEMO=on is ignored: it needs the embedded database, but DATABASE_URL is set. Unset one of the two.',
    );
  }
  return warnings;
}

/** Returns one warning for each login, about its most dangerous right. */
function loginWarnings(faults: readonly LoginFault[]): string[] {
  return [...new Set(faults.map(({ login }) => login))].flatMap((login) => {
    const ofLogin = faults.filter((fault) => fault.login === login);
    const above = ofLogin.find(({ kind }) => kind === 'above_policies');
    if (above !== undefined) {
      return [
        `The server logs in as ${login}, which ${above.text}. A statement injected into a request could read the data of ` +
          'every tracker, and a superuser also the files of that machine. Serve with a login that has no rights of its own: ' +
          'set DATABASE_URL (and DATABASE_REPLICA_URL) to it, and DATABASE_OWNER_URL to the owner of the tables. ' +
          'docs/operations.md shows the SQL.',
      ];
    }
    if (!ofLogin.some(({ kind }) => kind === 'owner')) return [];
    return [
      `The server logs in as ${login}, which owns the tables and so could change their policies. It is safer to serve with ` +
        `a login of its own in DATABASE_URL and to set DATABASE_OWNER_URL to ${login}; docs/operations.md shows the SQL.`,
    ];
  });
}

/** Returns the message of a running server: its URL, and the next commands that the configuration allows. Pure. */
export function startupMessage(server: {
  readonly origin: string;
  readonly demo: Demo | undefined;
  /** Whether users existed when the server started. */
  readonly hasUsers: boolean;
  readonly config: Pick<Config, 'registration' | 'externalIssuer'>;
}): string {
  const { origin } = server;
  const lines = ['', `Centavo is ready at ${origin}/v1/financial (Ctrl-C stops it)`, '', ...nextSteps(server)];
  return `${lines.join('\n')}\n`;
}

function nextSteps({ origin, demo, hasUsers, config }: Parameters<typeof startupMessage>[0]): string[] {
  if (config.externalIssuer !== null) return externalIssuerSteps(origin, config.externalIssuer.issuer);
  if (demo !== undefined) return demoSteps(origin, demo);
  if (config.registration === 'closed') return logInSteps(origin);
  return hasUsers ? logInOrRegisterSteps(origin) : registrationSteps(origin);
}

function registrationSteps(origin: string): string[] {
  return [
    'Register a first user in another terminal. The command prompts for the password, curl takes it as an argument:',
    '',
    cliCommand(origin, 'register'),
    '',
    `  curl -s ${origin}/v1/identity/users -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"ana@example.org","password":"choose a long one"}'`,
    '',
    'Then log in:',
    '',
    cliCommand(origin, 'login'),
  ];
}

function logInOrRegisterSteps(origin: string): string[] {
  return [
    'Log in, or register another user, in another terminal:',
    '',
    cliCommand(origin, 'login'),
    cliCommand(origin, 'register'),
  ];
}

function logInSteps(origin: string): string[] {
  return [
    'Registration is closed (REGISTRATION=closed). Existing users log in, in another terminal:',
    '',
    cliCommand(origin, 'login'),
  ];
}

function cliCommand(origin: string, verb: 'register' | 'login'): string {
  return `  node apps/cli/dist/main.js --base-url ${origin}/v1/financial ${verb} --email ana@example.org`;
}

function externalIssuerSteps(origin: string, issuer: string): string[] {
  return [
    `Users log in at ${issuer} (IDENTITY_ISSUER). Its access tokens are accepted here:`,
    '',
    `  export CENTAVO_BASE_URL=${origin}/v1/financial`,
    '  export CENTAVO_TOKEN=the access token',
    `  curl -s "$CENTAVO_BASE_URL/trackers" -H "Authorization: Bearer $CENTAVO_TOKEN"`,
  ];
}

function demoSteps(origin: string, demo: Demo): string[] {
  return [
    'A demo user, tracker and key exist. Run in another terminal, in this directory:',
    '',
    `  export CENTAVO_BASE_URL=${origin}/v1/financial`,
    `  export CENTAVO_TOKEN=${demo.secret}`,
    '  node apps/cli/dist/main.js import examples/household-2026.csv --create-categories --yes',
    '  node apps/cli/dist/main.js balances',
    `  curl -s "$CENTAVO_BASE_URL/movements?limit=3" -H "Authorization: Bearer $CENTAVO_TOKEN"`,
    '',
    `  To log in as the demo user: ${demo.email}, password ${demo.password}, one-time code secret ${demo.totpSecret}`,
  ];
}
