import type { Demo } from './seed-demo.js';

/** What a newcomer reads once the server is up: where it is and what to type next. */
export function welcome(server: { readonly origin: string; readonly demo: Demo | undefined }): string {
  const { origin, demo } = server;
  const lines = ['', `Centavo is ready at ${origin}/v1/financial (Ctrl-C stops it)`, ''];
  if (demo === undefined) {
    lines.push('A first user, in another terminal:', '', ...firstUser(origin));
  } else {
    lines.push(
      'A demo user, tracker and key are in place. In another terminal, in this folder:',
      '',
      ...play(origin, demo),
    );
  }
  return `${lines.join('\n')}\n`;
}

function firstUser(origin: string): string[] {
  return [
    `  curl -s ${origin}/v1/identity/users -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"ana@example.org","password":"choose a long one"}'`,
    `  node apps/cli/dist/main.js --base-url ${origin}/v1/financial login --email ana@example.org`,
  ];
}

function play(origin: string, demo: Demo): string[] {
  return [
    `  export CENTAVO_BASE_URL=${origin}/v1/financial`,
    `  export CENTAVO_TOKEN=${demo.secret}`,
    '  node apps/cli/dist/main.js import examples/household-2026.csv --create-categories --yes',
    '  node apps/cli/dist/main.js balances',
    `  curl -s "$CENTAVO_BASE_URL/movements?limit=3" -H "Authorization: Bearer $CENTAVO_TOKEN"`,
    '',
    `  To log in as the demo user: ${demo.email}, password ${demo.password}, one-time code secret ${demo.totpSecret}`,
  ];
}
