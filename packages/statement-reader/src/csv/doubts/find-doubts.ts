import type { Doubt } from '../../statement.js';
import { headerWords, netAmountHeaders } from '../columns/header-names.js';
import { describeOverlap } from '../describe-reading.js';
import type { CsvPlan } from '../plan.js';
import { findAccountDoubt, findFundingDoubt } from './account-doubts.js';
import { findBalanceCodeDoubt, findBalanceDoubt, findStatedDoubt } from './balance-doubts.js';
import { findDebtDoubt, findSideDoubt, findSignDoubt, findTransferDoubt } from './direction-doubts.js';
import {
  findAsteriskDoubt,
  findPendingDoubt,
  findReversedDoubt,
  findSectionDoubt,
  findStatusDoubt,
  findUnbookedDoubt,
  findUnchangedDoubt,
} from './pending-doubts.js';
import type { PlanOrigin } from './plan-origin.js';

/** Returns the doubts that the user has to resolve before rows are recorded, the most important first. */
export function findDoubts(plan: CsvPlan, origin: PlanOrigin): readonly Doubt[] {
  const { findings } = plan;
  if (findings.rowCount === 0) return [];
  const doubts = [
    findAccountDoubt(plan, origin),
    findStatusDoubt(plan, origin),
    findReversedDoubt(plan, origin),
    findPendingDoubt(plan, origin),
    findAsteriskDoubt(plan, origin),
    findSectionDoubt(plan, origin),
    findUnbookedDoubt(plan, origin),
    findUnchangedDoubt(plan, origin),
    findCopyDoubt(plan, origin),
    findOverlapDoubt(plan, origin),
    findBalanceCodeDoubt(plan),
    findBalanceDoubt(plan, origin),
    findStatedDoubt(origin),
    findTransferDoubt(plan, origin),
    findSideDoubt(plan, origin),
    findDebtDoubt(plan, origin),
    findSignDoubt(plan, origin),
    findFeeDoubt(plan, origin),
    findFundingDoubt(plan, origin),
    findGuessDoubt(origin),
  ];
  return doubts.filter((doubt) => doubt !== undefined);
}

function findGuessDoubt(origin: PlanOrigin): Doubt | undefined {
  const names = ['date', 'amount', 'debit', 'credit'] as const;
  const isGuessed = origin.isConfirmedEachTime || names.some((name) => origin.guessed.has(name));
  return isGuessed ? { message: 'The columns were guessed.', remedy: 'Accept them with --yes.' } : undefined;
}

/** Returns a doubt if the file seems to consist of several exports that share rows, unless the balance column agrees with the amounts. */
function findOverlapDoubt({ findings: { overlap } }: CsvPlan, { balance, options }: PlanOrigin): Doubt | undefined {
  if (overlap === undefined || balance?.kind === 'agrees' || options.columns.id === '') return undefined;
  const where = describeOverlap(overlap);
  const message = `${where.replace(/^t/, 'T')}: the file may contain rows twice.`;
  const remedy = 'Take the copies out of the file. If each row is a transaction, use';
  return overlap.headerLine === undefined
    ? { message, remedy: `${remedy} --yes.` }
    : { message, remedy: `${remedy} --id-column "".`, requiresOption: true };
}

/** Returns a doubt if two equal rows have the same id from the bank, unless the balance column shows that both are transactions. */
function findCopyDoubt({ findings: { repeatedId } }: CsvPlan, { balance }: PlanOrigin): Doubt | undefined {
  if (repeatedId === undefined || !repeatedId.areEqual || balance?.kind === 'agrees') return undefined;
  const { id, lines } = repeatedId;
  return {
    message: `Lines ${lines.join(' and ')} are equal and have the id "${id}": the file may contain rows twice.`,
    remedy: 'Take the copies out of the file. If each row is a transaction, use --id-column "".',
    requiresOption: true,
  };
}

/** Returns a doubt if fees may be left out, or may be added to an amount that already includes them. */
function findFeeDoubt({ columns: { roles }, findings }: CsvPlan, { balance, options }: PlanOrigin): Doubt | undefined {
  // The fees are handled correctly if the balances include the recorded fees, or show that the fees must not be recorded.
  if (balance?.kind === 'agrees' && (balance.provesFees || roles.fee !== undefined)) return undefined;
  if (roles.fee !== undefined && roles.amount !== undefined && netAmountHeaders.has(headerWords(roles.amount))) {
    return {
      message: `The amounts in the column "${roles.amount}" seem to include the fees in the column "${roles.fee}", which would be recorded twice.`,
      remedy: 'Leave out --fee-column, or name the amounts before fees with --amount-column.',
      requiresOption: true,
    };
  }
  if (findings.fees === undefined || options.columns.fee === '') return undefined;
  if (roles.fee !== undefined) {
    return {
      message: `${findings.fees}. Only the column "${roles.fee}" is recorded.`,
      remedy: 'Record the other fees and taxes by hand, and accept the reading with --yes.',
    };
  }
  const flags = findings.feeColumns.map((header) => `--fee-column "${header}"`).join(' or ');
  return {
    message: `${findings.fees}.`,
    remedy: `Record these amounts with ${flags}, or leave them out with --fee-column "".`,
    requiresOption: true,
  };
}
