import { beforeAll, describe, expect, it } from 'vitest';
import { callsTo } from './support/call-api.js';
import { hasTmux, type Pane, preparePanes, tmuxNote } from './support/pane.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { sampleStatement } from './support/statements.js';

const sandbox = openSandbox();
const openPane = preparePanes();
const email = 'ana@example.org';
const password = 'correct horse battery';

describe.skipIf(!hasTmux)(`on a terminal${tmuxNote}`, () => {
  let server: Server;
  let pane: Pane;

  beforeAll(async () => {
    server = await sandbox.startServer({ dataDir: sandbox.newDataDir(), env: { DEMO: 'off' } });
    const user = await callsTo(server.origin)('POST /v1/identity/users', { body: { email, password } });
    expect(user.status).toBe(201);
    pane = await openPane({ CENTAVO_BASE_URL: server.baseUrl });
  });

  it('a login prompts for the e-mail address and the password, and never prints the password', async () => {
    pane.type('centavo login\n');
    await pane.shows(/E-mail/);
    pane.type(`${email}\n`);
    await pane.shows(/Password/);
    pane.type(`${password}\n`);
    await pane.shows(new RegExp(`Logged in to .* as ${email}`));
    expect(await pane.recording()).not.toContain(password);
    expect(await pane.run('centavo trackers create Household --currency EUR && centavo trackers use Household')).toBe(
      0,
    );
    expect(await pane.run('centavo status')).toBe(0);
    await pane.shows(/^TRACKER +Household \(owner/m);
  });

  it('the enrolment of an authenticator app shows a QR code, and exits with 130 after Ctrl-C at the prompt', async () => {
    pane.type('centavo totp enrol; echo "left" with $?\n');
    await pane.shows(/enter its code/);
    await pane.shows(/█▀▀▀|▄▄▄▄▄ █/);
    pane.press('C-c');
    await pane.shows(/^left with 130$/m);
  });

  it('an import shows a progress bar with rate and remaining time, and clears the bar at the end', async () => {
    const flags = '--create-accounts --create-categories --yes';
    expect(await pane.run(`centavo import '${sampleStatement.path}' ${flags}`)).toBe(0);
    expect(await pane.recording()).toMatch(/\[[#-]+\] +\d+\/234 +[\d.]+\/s +.* left/);
    const screen = await pane.shows(/^CREATED +234$/m);
    expect(screen).not.toMatch(/\d+\/234/);
  });

  it('`movements summary` and `budgets show` print horizontal bars for the amounts', async () => {
    expect(await pane.run('centavo movements summary --by category')).toBe(0);
    await pane.shows(/^Rent .*█+/m);
    const budget = 'budgets create Plan --period-start 2026-01-01 --period-end 2026-12-31 --line Groceries=10';
    expect(await pane.run(`centavo ${budget}`)).toBe(0);
    expect(await pane.run('centavo budgets show Plan')).toBe(0);
    await pane.shows(/^! Groceries +█+!+ .* over$/m);
  });

  it('TAB completes commands and the names of records', async () => {
    expect(await pane.run('source <(centavo completion bash)')).toBe(0);
    pane.type('centavo movem');
    pane.press('Tab');
    await pane.shows(/centavo movements $/m);
    pane.type('list --account Everyd');
    pane.press('Tab');
    await pane.shows(/list --account Everyday $/m);
    pane.press('C-c');
  });

  it('a list command ends without an error when the reader of its output closes the pipe', async () => {
    await pane.run('set -o pipefail');
    expect(await pane.run('centavo movements list --all | head -n 1')).toBe(0);
    expect(await pane.run('centavo movements list --all -o jsonl | head -n 1')).toBe(0);
    expect(await pane.recording()).not.toContain('EPIPE');
  });
});
