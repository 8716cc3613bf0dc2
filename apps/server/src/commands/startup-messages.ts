import type { Config } from '../config/env.js';
import type { ExcessRight } from '../database/checks/start-checks.queries.js';
import type { Demo } from './demo.js';
import type { Installation } from './installation.js';

/** Returns the warnings that are printed before the startup message, including a warning if DEMO=on had no effect. Pure. */
export function startupWarnings(start: {
  readonly config: Pick<Config, 'demo' | 'databaseUrl' | 'warnings'>;
  /** The rights that the login roles of the server have, but that requests do not need. */
  readonly excessRights: readonly ExcessRight[];
  readonly hasDemo: boolean;
}): string[] {
  const { config, excessRights, hasDemo } = start;
  const warnings = [...config.warnings, ...loginWarnings(excessRights)];
  if (config.demo && !hasDemo) {
    warnings.push(
      config.databaseUrl === null
        ? 'DEMO=on is ignored, because the embedded database already has users. Set DATA_DIR to ' +
            'another directory to create the demo there.'
        : 'DEMO=on is ignored, because it needs the embedded database, but DATABASE_URL is set. Unset one of the two.',
    );
  }
  return warnings;
}

/** Returns at most one warning for each database login, about its most dangerous right. Rights of the kind `other` cause no warning. */
function loginWarnings(rights: readonly ExcessRight[]): string[] {
  return [...new Set(rights.map(({ login }) => login))].flatMap((login) => {
    const ofLogin = rights.filter((right) => right.login === login);
    const bypass = ofLogin.find(({ kind }) => kind === 'bypasses_policies');
    if (bypass !== undefined) {
      return [
        `The server logs in as ${login}, which ${bypass.text}. A statement injected into a request could read the data of ` +
          'every tracker. A superuser could also read the files of the database server. Serve with a login without extra rights: ' +
          'set DATABASE_URL (and DATABASE_REPLICA_URL) to it, and DATABASE_OWNER_URL to the owner of the tables. ' +
          'docs/operations.md shows the SQL.',
      ];
    }
    if (!ofLogin.some(({ kind }) => kind === 'owner')) return [];
    return [
      `The server logs in as ${login}, which owns the tables and could change their policies. It is safer to use ` +
        `another login in DATABASE_URL and to set DATABASE_OWNER_URL to ${login}. docs/operations.md shows the SQL.`,
    ];
  });
}

/**
 * Returns the message that is printed when the server is ready: the URL, the commands to run next and, with the embedded PostgreSQL, the
 * data directory. Pure.
 */
export function startupMessage(server: {
  readonly origin: string;
  readonly demo: Demo | undefined;
  /** True if users existed when the server started. */
  readonly hasUsers: boolean;
  readonly config: Pick<Config, 'registration' | 'externalIssuer' | 'dataDir' | 'databaseUrl'>;
  readonly installation: Pick<Installation, 'cliCommand' | 'sampleStatement'>;
}): string {
  const { origin, config } = server;
  const data = config.databaseUrl === null ? [`The data is in ${config.dataDir} (DATA_DIR).`] : [];
  const lines = ['', `Centavo is ready at ${origin}/v1/financial (Ctrl-C stops it)`, ...data, '', ...nextSteps(server)];
  return `${lines.join('\n')}\n`;
}

function nextSteps(server: Parameters<typeof startupMessage>[0]): string[] {
  const { origin, demo, hasUsers, config, installation } = server;
  if (config.externalIssuer !== null) return externalIssuerSteps(origin, config.externalIssuer.issuer);
  const { cliCommand } = installation;
  const install =
    cliCommand === 'centavo'
      ? ['The command-line client (CLI) is a separate package: npm install -g @centavo/cli', '']
      : [];
  if (demo !== undefined) return [...install, ...demoSteps({ origin, demo, installation })];
  const command = (verb: 'register' | 'login') =>
    `  ${cliCommand} --base-url ${origin}/v1/financial ${verb} --email ana@example.org`;
  if (config.registration === 'closed') return [...install, ...logInSteps(command)];
  return [...install, ...(hasUsers ? logInOrRegisterSteps(command) : registrationSteps(origin, command))];
}

/** Returns the shell command that runs the CLI with the command `verb`. */
type FormatCommand = (verb: 'register' | 'login') => string;

function registrationSteps(origin: string, command: FormatCommand): string[] {
  return [
    'Register a first user in another terminal with one of these commands. The first one prompts for the password:',
    '',
    command('register'),
    '',
    `  curl -s ${origin}/v1/identity/users -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"ana@example.org","password":"choose a long one"}'`,
    '',
    'Then log in:',
    '',
    command('login'),
  ];
}

function logInOrRegisterSteps(command: FormatCommand): string[] {
  return ['Log in, or register another user, in another terminal:', '', command('login'), command('register')];
}

function logInSteps(command: FormatCommand): string[] {
  return [
    'Registration is closed (REGISTRATION=closed). Existing users can log in from another terminal:',
    '',
    command('login'),
  ];
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

function demoSteps(server: {
  readonly origin: string;
  readonly demo: Demo;
  readonly installation: Pick<Installation, 'cliCommand' | 'sampleStatement'>;
}): string[] {
  const { origin, demo, installation } = server;
  const { cliCommand, sampleStatement } = installation;
  return [
    `A demo user, tracker and key exist. Run in another terminal${cliCommand === 'centavo' ? '' : ', in this directory'}:`,
    '',
    `  export CENTAVO_BASE_URL=${origin}/v1/financial`,
    `  export CENTAVO_TOKEN=${demo.secret}`,
    `  ${cliCommand} import ${sampleStatement} --create-categories --yes`,
    `  ${cliCommand} balances`,
    `  curl -s "$CENTAVO_BASE_URL/movements?limit=3" -H "Authorization: Bearer $CENTAVO_TOKEN"`,
    '',
    `  To log in as the demo user: ${demo.email}, password ${demo.password}, one-time code secret ${demo.totpSecret}`,
  ];
}
