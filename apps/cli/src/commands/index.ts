import type { Command } from 'commander';
import { addAccountsCreate } from './accounts/create.js';
import { addAccountsList } from './accounts/list.js';
import type { Cli } from './add-command.js';
import { addBalances } from './balances/list.js';
import { addCashboxesList } from './cashboxes/list.js';
import { addCategoriesCreate } from './categories/create.js';
import { addCategoriesList } from './categories/list.js';
import { addImport } from './import/import.js';
import { addKeysCreate } from './keys/create.js';
import { addKeysList } from './keys/list.js';
import { addMovementsAdd } from './movements/add.js';
import { addMovementsCorrect } from './movements/correct.js';
import { addMovementsList } from './movements/list.js';
import { addMovementsShow } from './movements/show.js';
import { addLogin } from './session/login.js';
import { addLogout } from './session/logout.js';
import { addTotpEnrol } from './totp/enrol.js';
import { addTotpVerify } from './totp/verify.js';
import { addTrackersCreate } from './trackers/create.js';
import { addTrackersList } from './trackers/list.js';
import { addTrackersUse } from './trackers/use.js';
import { addTransfersAdd } from './transfers/add.js';
import { addTransfersShow } from './transfers/show.js';

type AddTo = (parent: Command, cli: Cli) => void;

/** Every command of the program, noun by noun, in the order of the help. */
export function addCommands(program: Command, cli: Cli): void {
  for (const add of wholeProgram) add(program, cli);
  for (const [name, summary, verbs] of nouns) {
    const noun = program.command(name).description(summary);
    for (const add of verbs) add(noun, cli);
  }
}

const wholeProgram: readonly AddTo[] = [addLogin, addLogout, addImport, addBalances];

const nouns: readonly (readonly [name: string, summary: string, verbs: readonly AddTo[]])[] = [
  ['trackers', 'Workspaces of one household or business', [addTrackersList, addTrackersCreate, addTrackersUse]],
  ['accounts', 'Bank accounts, cards, cash', [addAccountsList, addAccountsCreate]],
  ['cashboxes', 'Parts of an account', [addCashboxesList]],
  ['categories', 'What money is spent on', [addCategoriesList, addCategoriesCreate]],
  ['movements', 'Expenses and incomes', [addMovementsList, addMovementsAdd, addMovementsShow, addMovementsCorrect]],
  ['transfers', 'Money between your own accounts', [addTransfersAdd, addTransfersShow]],
  ['keys', 'API keys for programs', [addKeysCreate, addKeysList]],
  ['totp', 'One-time codes of an authenticator app', [addTotpEnrol, addTotpVerify]],
];
