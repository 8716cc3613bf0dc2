import type { Config } from '../config/env.js';
import type { Demo } from './demo.js';

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
