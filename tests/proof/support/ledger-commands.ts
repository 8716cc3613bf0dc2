import fc from 'fast-check';
import { groupings } from './ledger.js';
import { type Command, readPages, replay, reuseKey, summarize } from './ledger-checks.js';
import {
  addCategory,
  correct,
  openAccount,
  recordMovements,
  toggleCashbox,
  transfer,
  voidMovement,
  voidTransfer,
} from './ledger-writes.js';

// A position in a list of the model. Beyond the end of the list, the count starts again.
const which = fc.nat({ max: 1_000 });
const amountDecimal = fc
  .tuple(fc.integer({ min: 1, max: 99_999 }), fc.constantFrom('', '', '', '', '', '.5', '.25', '.125'))
  .map(([whole, fraction]) => `${whole}${fraction}`);
// Few dates, so that many movements have the same date.
const occurredOn = fc.constantFrom('2025-12-31', '2026-02-28', '2026-03-01');
const type = fc.constantFrom('expense' as const, 'income' as const);
// Few external ids, so that many movements name an id that is in use.
const externalId = fc.option(fc.constantFrom('FIT-1', 'FIT-2', 'fit-1'), { nil: undefined });
const text = fc.constantFrom(null, 'Milk', 'Ñandú 🦤');

const movement = fc.record({
  type,
  amountDecimal,
  cashbox: which,
  isCashboxNamed: fc.boolean(),
  category: which,
  occurredOn,
  description: text,
  externalId,
  times: fc.constantFrom(1, 1, 1, 5),
});
const correction = fc.record({
  movement: which,
  patch: fc
    .record({ amountDecimal, description: text, merchantName: text }, { requiredKeys: [] })
    .filter((patch) => Object.keys(patch).length > 0),
  category: fc.option(which, { nil: undefined, freq: 1 }),
  tags: fc.constantFrom('current' as const, 'current' as const, 'stale' as const, 'both' as const),
});

/** Returns random sequences of commands. Commands that record, correct or transfer are more frequent than the others. */
export const ledgerCommands = (commandsMax: number) => {
  const recording = movement.map((choice) => recordMovements(choice));
  const correcting = correction.map((choice) => correct(choice));
  const transferring = fc
    .record({ amountDecimal, from: which, to: which, areCashboxesNamed: fc.boolean(), occurredOn })
    .map((choice) => transfer(choice));
  const opening = fc.record({
    currencyCode: fc.constantFrom('EUR' as const, 'EUR' as const, 'JPY' as const, 'KWD' as const),
    openingUnits: fc.integer({ min: -100_000, max: 100_000 }),
    cashboxes: fc.constantFrom(1, 1, 2),
  });
  const pages = fc.record({
    limits: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    cashbox: which,
    isByAccount: fc.boolean(),
    type: fc.option(type, { nil: undefined }),
    kind: fc.option(fc.constantFrom('regular' as const, 'transfer' as const), { nil: undefined }),
    from: fc.option(occurredOn, { nil: undefined }),
    externalId: fc.option(fc.constantFrom('FIT-1', 'FIT-2'), { nil: undefined, freq: 1 }),
    includeVoided: fc.constantFrom('true' as const, undefined),
  });
  const voiding = fc.record({ position: which, isStale: fc.constantFrom(false, false, false, true) });
  const summarizing = fc.record({
    by: fc.constantFrom(...groupings),
    limit: fc.constantFrom(1, 2, 1_000),
    cashbox: which,
    isByAccount: fc.boolean(),
    type: fc.option(type, { nil: undefined }),
    from: fc.option(occurredOn, { nil: undefined }),
  });
  const arbitraries: fc.Arbitrary<Command>[] = [
    opening.map((choice) => openAccount(choice)),
    fc
      .record({
        name: fc.constantFrom('Food', 'food', 'Rent', 'Wages'),
        kind: fc.constantFrom('expense' as const, 'income' as const, 'any' as const),
      })
      .map((body) => addCategory(body)),
    which.map((cashbox) => toggleCashbox(cashbox)),
    recording,
    recording,
    recording,
    correcting,
    correcting,
    transferring,
    transferring,
    voiding.map((choice) => voidMovement(choice)),
    voiding.map((choice) => voidTransfer(choice)),
    summarizing.map((choice) => summarize(choice)),
    fc.tuple(pages, recording).map(([choice, between]) => readPages(choice, between)),
    pages.map((choice) => readPages(choice)),
    which.map((done) => replay(done)),
    which.map((done) => reuseKey(done)),
  ];
  return fc.commands(arbitraries, { maxCommands: commandsMax, size: 'max' });
};
