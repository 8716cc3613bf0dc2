import type { Doubt } from '../../statement.js';
import type { CsvPlan } from '../plan.js';
import type { PlanOrigin } from './plan-origin.js';

/**
 * Returns a doubt if rows name several accounts. To record all rows in one account, the user usually has to set an option. `--yes` is
 * enough if `areOnlyNames` is true: the only proof that the names are accounts of the user is a transfer between two of them.
 */
export function findAccountDoubt(
  { columns: { roles }, findings }: CsvPlan,
  { options }: PlanOrigin,
): Doubt | undefined {
  const { ownAccounts } = findings;
  if (ownAccounts === undefined || roles.account !== undefined || options.columns.account === '') return undefined;
  const { header, names, areOnlyNames, arePots } = ownAccounts;
  if (arePots) {
    return {
      message: `The column "${header}" names a pot in some rows: "${names[0] ?? ''}". Both sides of a transfer to or from a pot are in the file.`,
      remedy: 'Split the file by this column. If all rows belong to one account, use --account-column "".',
      requiresOption: true,
    };
  }
  const message = `The column "${header}" names several accounts: ${names.map((name) => `"${name}"`).join(', ')}.`;
  const remedy = `Split the file by this column, or use --account-column "${header}" without --account. If all rows belong to one account, use`;
  return areOnlyNames
    ? { message: `${message} Both sides of a transfer between them are in the file.`, remedy: `${remedy} --yes.` }
    : { message, remedy: `${remedy} --account-column "".`, requiresOption: true };
}

/** Returns a doubt if the money of some payments came from another account, unless the balance column includes these payments. */
export function findFundingDoubt({ findings: { paidElsewhere } }: CsvPlan, { balance }: PlanOrigin): Doubt | undefined {
  if (paidElsewhere === undefined || balance?.kind === 'agrees') return undefined;
  const { line, text, header, rowCount } = paidElsewhere;
  const rows = rowCount === 1 ? 'A row was' : `${rowCount} rows were`;
  return {
    message: `${rows} paid from another account: line ${line} has "${text}" in the column "${header}". If such rows are recorded, the balance of this account may become too low.`,
    remedy: 'Take such rows out of the file, or accept them with --yes.',
  };
}
