import { randomUUID } from 'node:crypto';
import { currencyExponent, fromMinorUnits, toMinorUnits } from '@centavo/sdk';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Call, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { drawBelow, drawFrom } from './support/draw.js';
import { drawAmount } from './support/draw-amount.js';
import { isoCurrencies } from './support/iso-currencies.js';
import { isLong, proofSeed, recordProof } from './support/proof-record.js';
import { seededRandom } from './support/seeded-random.js';
import { openDatabaseClock } from './support/stop-database-clock.js';
import { newTally } from './support/tally.js';
import { registerUser, succeed } from './support/tenants.js';

const roundTrips = isLong ? 1_000_000 : 50_000;
const movementsOfEach = isLong ? 150 : 30;
const currencies = ['JPY', 'EUR', 'KWD', 'CLF'] as const;
const zones = [
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Europe/Madrid',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
] as const;
// Days around changes of daylight saving time in these zones, around a new year and around the end of February in a leap year.
const nights = [
  ...['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01', '2027-01-01', '2028-02-29'],
  ...(isLong ? ['2026-03-09', '2026-03-30', '2026-04-06', '2026-10-05', '2026-10-26', '2026-11-02', '2028-03-01'] : []),
];

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;
let owner: pg.Client;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir });
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  ({ headers } = await registerUser(server.origin));
});
afterAll(() => owner.end());

/** Creates a tracker with an account. @returns the id of the account, and a function that sends requests in this tracker */
async function openTracker(about: {
  readonly currencyCode: string;
  readonly timeZone: string;
  readonly opening: string;
}) {
  const { currencyCode, timeZone, opening } = about;
  const { id } = await succeed(callsTo(server.origin, headers), 'POST /v1/financial/trackers', {
    body: { name: `${currencyCode} ${timeZone}`, currencyCode, timeZone },
  });
  const call = callsTo(server.origin, { ...headers, 'X-Service-Tracker-Id': id });
  const body = { name: 'Account', type: 'checking', openingBalanceDecimal: opening };
  const account = await succeed(call, 'POST /v1/financial/accounts', { body });
  return { call, accountId: account.id as string };
}

/** Records a movement with a key. */
function write(call: Call, key: string, body: Readonly<Record<string, unknown>>) {
  return call('POST /v1/financial/movements', { headers: { 'Idempotency-Key': key }, body });
}

it('an amount of any currency is unchanged after conversion to minor units and back', async () => {
  const violations = newTally('decimals', 'minorUnits', 'spelling', 'tooFineAccepted');
  const random = seededRandom(proofSeed, 'round trips');
  for (let count = 0; count < roundTrips; count += 1) {
    const { code, decimals } = drawFrom(random, isoCurrencies);
    const { minorUnits, written, full } = drawAmount(random, { decimals, digitsMax: 15 });
    const sign = random.hits(0.5) ? '-' : '';
    const signed = sign === '' ? minorUnits : -minorUnits;
    if (currencyExponent(code) !== decimals) violations.decimals += 1;
    if (toMinorUnits(sign + written, code) !== signed) violations.minorUnits += 1;
    if (fromMinorUnits(signed, code) !== sign + full) violations.spelling += 1;
    // One decimal place more than the currency has.
    const tooFine = `${full}${decimals === 0 ? '.' : ''}${1 + drawBelow(random, 9)}`;
    if (isAccepted(tooFine, code)) violations.tooFineAccepted += 1;
  }
  await recordProof({
    id: 'T24',
    promise: 'An amount is equal after conversion to minor units and back, in every currency, and is never rounded',
    seed: proofSeed,
    injected: { roundTrips, currencies: isoCurrencies.length },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});

function isAccepted(amount: string, currencyCode: string): boolean {
  try {
    toMinorUnits(amount, currencyCode);
    return true;
  } catch {
    return false;
  }
}

it('the server computes exact balances and sums in currencies with no, two, three and four decimal places', async () => {
  const violations = newTally('echo', 'balance', 'sumOfABudget', 'tooFineAccepted', 'refused');
  const injected = newTally('movements', 'tooFine');
  for (const code of currencies) {
    const decimals = isoCurrencies.find((one) => one.code === code)?.decimals ?? Number.NaN;
    const random = seededRandom(proofSeed, `balances ${code}`);
    const opening = drawAmount(random, { decimals, digitsMax: 12 });
    const { call, accountId } = await openTracker({
      currencyCode: code,
      timeZone: 'UTC',
      opening: `-${opening.written}`,
    });
    let balance = -opening.minorUnits;
    let spent = 0n;
    for (let count = 0; count < movementsOfEach; count += 1) {
      const type = random.oneOf(['expense', 'income']);
      const { minorUnits, written, full } = drawAmount(random, { decimals, digitsMax: 12 });
      const movement = { type, accountId, occurredOn: '2026-01-15' };
      const { status, data } = await write(call, randomUUID(), { ...movement, amountDecimal: written });
      injected.movements += 1;
      if (status !== 201) violations.refused += 1;
      if (data?.amountDecimal !== full) violations.echo += 1;
      balance += type === 'income' ? minorUnits : -minorUnits;
      if (type === 'expense') spent += minorUnits;
      const tooFine = `${full}${decimals === 0 ? '.' : ''}0`;
      injected.tooFine += 1;
      if ((await write(call, randomUUID(), { ...movement, amountDecimal: tooFine })).status !== 400) {
        violations.tooFineAccepted += 1;
      }
    }
    const [shown] = await succeed(call, 'GET /v1/financial/balances');
    if (shown.balanceDecimal !== format(balance, decimals)) violations.balance += 1;
    const budget = await succeed(call, 'POST /v1/financial/budgets', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: { name: 'January', mode: 'tracking', periodStart: '2026-01-01', periodEnd: '2026-01-31' },
    });
    if (budget.summary.expense.unplannedDecimal !== format(spent, decimals)) violations.sumOfABudget += 1;
  }
  await recordProof({
    id: 'T24',
    promise:
      'Amounts, balances and budgets are exact to the last minor unit, for currencies with any number of decimal places',
    seed: proofSeed,
    injected: { ...injected, currencies: currencies.length },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});

/** Formats minor units as the API does, independently of the code of the server. */
function format(minorUnits: bigint, decimals: number): string {
  const one = 10n ** BigInt(decimals);
  const size = minorUnits < 0n ? -minorUnits : minorUnits;
  const fraction = decimals === 0 ? '' : `.${String(size % one).padStart(decimals, '0')}`;
  return `${minorUnits < 0n ? '-' : ''}${size / one}${fraction}`;
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the start of a day in a time zone, computed by PostgreSQL. The server computes it in another way. */
async function midnightMs(day: string, zone: string): Promise<number> {
  const { rows } = await owner.query<{ ms: string }>(
    'select (extract(epoch from $1::timestamp at time zone $2) * 1000)::bigint as ms',
    [day, zone],
  );
  return Number(rows[0]?.ms);
}

it('the server uses the right date around midnight in six time zones, and replays responses after midnight', async () => {
  const violations = newTally(
    'dayBefore',
    'dayAfter',
    'retryAfterMidnight',
    'effectTwice',
    'daysOfABudget',
    'latestDay',
  );
  const injected = newTally('midnights', 'movements', 'retries');
  const clock = await openDatabaseClock(owner);
  for (const timeZone of zones) {
    const { call, accountId } = await openTracker({ currencyCode: 'EUR', timeZone, opening: '0' });
    const period = { periodStart: '2026-01-01', periodEnd: '2028-12-31' };
    const budget = await succeed(call, 'POST /v1/financial/budgets', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: { name: 'Years', mode: 'tracking', ...period },
    });
    const body = { type: 'expense', amountDecimal: '1.00', accountId };
    for (const day of nights) {
      const midnight = await midnightMs(day, timeZone);
      const eve = addDays(day, -1);
      const [key, nextKey] = [randomUUID(), randomUUID()];
      await clock.stopAt(midnight - 1);
      const before = await write(call, key, body);
      // The API accepts dates up to 366 days after the current date of the tracker.
      const latest = await write(call, randomUUID(), { ...body, occurredOn: addDays(eve, 366) });
      const tooLate = await write(call, randomUUID(), { ...body, occurredOn: addDays(eve, 367) });
      await clock.stopAt(midnight);
      const retry = await write(call, key, body);
      const after = await write(call, nextKey, body);
      const { progress } = await succeed(call, `GET /v1/financial/budgets/${budget.id}`);
      injected.midnights += 1;
      injected.movements += 4;
      injected.retries += 1;
      if (before.status !== 201 || before.data.occurredOn !== eve) violations.dayBefore += 1;
      if (after.status !== 201 || after.data.occurredOn !== day) violations.dayAfter += 1;
      if (retry.status !== 200 || retry.data?.occurredOn !== eve) violations.retryAfterMidnight += 1;
      if (retry.data?.id !== before.data?.id) violations.effectTwice += 1;
      if (progress.daysElapsed !== daysBetween(period.periodStart, day) + 1) violations.daysOfABudget += 1;
      if (latest.status !== 201 || tooLate.status !== 400) violations.latestDay += 1;
    }
  }
  await recordProof({
    id: 'T24',
    promise:
      'The date in a tracker changes at midnight of its time zone, to the millisecond, and a retry after midnight gets the first response',
    seed: null,
    injected: { ...injected, timeZones: zones.length },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});
