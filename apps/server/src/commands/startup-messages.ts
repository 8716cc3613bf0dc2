import type { Config } from '../config/env.js';
import type { LoginFault } from '../database/login-faults.queries.js';
import type { Demo } from './demo.js';

/** Returns what an operator should know before the welcome: warnings, and a demo that was requested and is not there. Pure. */
export function startRemarks(start: {
  readonly config: Pick<Config, 'demo' | 'databaseUrl' | 'warnings'>;
  /** What the logins that serve may do beyond requests. */
  readonly loginFaults: readonly LoginFault[];
  readonly hasDemo: boolean;
}): string[] {
  const { config, loginFaults, hasDemo } = start;
  const remarks = [...config.warnings, ...loginRemarks(loginFaults)];
  if (config.demo && !hasDemo) {
    remarks.push(
      config.databaseUrl === null
        ? 'DEMO=on is left aside: it fills an embedded database without users, and this one has some. Set DATA_DIR to ' +
            'another folder to get the demo there.'
        : 'DEMO=on is left aside: it is for the embedded database, and DATABASE_URL is set. Unset one of the two.',
    );
  }
  return remarks;
}

/** Returns one remark for each login: of the login with the most dangerous right it has. */
function loginRemarks(faults: readonly LoginFault[]): string[] {
  return [...new Set(faults.map(({ login }) => login))].flatMap((login) => {
    const own = faults.filter((fault) => fault.login === login);
    const above = own.find(({ kind }) => kind === 'above_policies');
    if (above !== undefined) {
      return [
        `The server logs in as ${login}, which ${above.text}. A statement injected into a request could read the data of ` +
          'every tracker, and a superuser also the files of that machine. Serve with a login that has no rights of its own: ' +
          'set DATABASE_URL (and DATABASE_REPLICA_URL) to it, and DATABASE_OWNER_URL to the owner of the tables. ' +
          'docs/operations.md shows the SQL.',
      ];
    }
    if (!own.some(({ kind }) => kind === 'owner')) return [];
    return [
      `The server logs in as ${login}, which owns the tables and so could change their policies. It is safer to serve with ` +
        `a login of its own in DATABASE_URL and to set DATABASE_OWNER_URL to ${login}; docs/operations.md shows the SQL.`,
    ];
  });
}

/** What a newcomer reads once the server is up: where it is and what to type next, as the configuration allows it. */
export function welcome(server: {
  readonly origin: string;
  readonly demo: Demo | undefined;
  /** Whether there were users when it started. */
  readonly hasUsers: boolean;
  readonly config: Pick<Config, 'registration' | 'externalIssuer'>;
}): string {
  const { origin } = server;
  const lines = ['', `Centavo is ready at ${origin}/v1/financial (Ctrl-C stops it)`, '', ...nextSteps(server)];
  return `${lines.join('\n')}\n`;
}

function nextSteps({ origin, demo, hasUsers, config }: Parameters<typeof welcome>[0]): string[] {
  if (config.externalIssuer !== null) return externalUser(origin, config.externalIssuer.issuer);
  if (demo !== undefined) return play(origin, demo);
  if (config.registration === 'closed') return knownUser(origin);
  return hasUsers ? anyUser(origin) : firstUser(origin);
}

function firstUser(origin: string): string[] {
  return [
    'A first user, in another terminal; the command asks for the password, curl is given it:',
    '',
    centavo(origin, 'register'),
    '',
    `  curl -s ${origin}/v1/identity/users -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"ana@example.org","password":"choose a long one"}'`,
    '',
    'Then:',
    '',
    centavo(origin, 'login'),
  ];
}

function anyUser(origin: string): string[] {
  return [
    'To log in, in another terminal, or to register somebody new:',
    '',
    centavo(origin, 'login'),
    centavo(origin, 'register'),
  ];
}

function knownUser(origin: string): string[] {
  return [
    'Nobody new may register (REGISTRATION=closed). Who is a user logs in, in another terminal:',
    '',
    centavo(origin, 'login'),
  ];
}

function centavo(origin: string, verb: 'register' | 'login'): string {
  return `  node apps/cli/dist/main.js --base-url ${origin}/v1/financial ${verb} --email ana@example.org`;
}

function externalUser(origin: string, issuer: string): string[] {
  return [
    `Users log in at ${issuer} (IDENTITY_ISSUER), whose access tokens are the sessions here. With one of them:`,
    '',
    `  export CENTAVO_BASE_URL=${origin}/v1/financial`,
    '  export CENTAVO_TOKEN=the access token',
    `  curl -s "$CENTAVO_BASE_URL/trackers" -H "Authorization: Bearer $CENTAVO_TOKEN"`,
  ];
}

function play(origin: string, demo: Demo): string[] {
  return [
    'A demo user, tracker and key are in place. In another terminal, in this folder:',
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
