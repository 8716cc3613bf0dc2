import type { Command } from 'commander';
import { addAccountsCreate } from './accounts/create.js';
import { addAccountsList } from './accounts/list.js';
import { addAccountsUpdate } from './accounts/update.js';
import type { Cli } from './shared/define.js';
import { addApi } from './api/api.js';
import { addBalances } from './balances/list.js';
import { addBudgetsAddLine } from './budgets/add-line.js';
import { addBudgetsCreate } from './budgets/create.js';
import { addBudgetsList } from './budgets/list.js';
import { addBudgetsShow } from './budgets/show.js';
import { addCashboxesCreate } from './cashboxes/create.js';
import { addCashboxesList } from './cashboxes/list.js';
import { addCashboxesUpdate } from './cashboxes/update.js';
import { addCategoriesCreate } from './categories/create.js';
import { addCategoriesList } from './categories/list.js';
import { addCategoriesShow } from './categories/show.js';
import { addClientsCreate } from './clients/create.js';
import { addClientsList } from './clients/list.js';
import { addClientsRevoke } from './clients/revoke.js';
import { addComplete } from './completion/complete.js';
import { addCompletion } from './completion/completion.js';
import { addDoctor } from './doctor/doctor.js';
import { addImport } from './import/import.js';
import { addInvitationsAccept } from './invitations/accept.js';
import { addInvitationsDecline } from './invitations/decline.js';
import { addInvitationsList } from './invitations/list.js';
import { addKeysCreate } from './keys/create.js';
import { addKeysList } from './keys/list.js';
import { addKeysRevoke } from './keys/revoke.js';
import { addKeysRotate } from './keys/rotate.js';
import { addMembersAdd } from './members/add.js';
import { addMembersChangeRole } from './members/change-role.js';
import { addMembersList } from './members/list.js';
import { addMembersRemove } from './members/remove.js';
import { addMovementsAdd } from './movements/add.js';
import { addMovementsCorrect } from './movements/correct.js';
import { addMovementsExport } from './movements/export.js';
import { addMovementsList } from './movements/list.js';
import { addMovementsShow } from './movements/show.js';
import { addMovementsSummary } from './movements/summary.js';
import { addProfilesDelete } from './profiles/delete.js';
import { addProfilesList } from './profiles/list.js';
import { addProfilesSet } from './profiles/set.js';
import { addProfilesShow } from './profiles/show.js';
import { addProfilesUse } from './profiles/use.js';
import { addLogin } from './session/login.js';
import { addLogout } from './session/logout.js';
import { addRegister } from './session/register.js';
import { addStatus } from './status/status.js';
import { addTotpEnrol } from './totp/enrol.js';
import { addTotpVerify } from './totp/verify.js';
import { addTrackersCreate } from './trackers/create.js';
import { addTrackersList } from './trackers/list.js';
import { addTrackersSetActive, addTrackersSetDefault } from './trackers/set-stored.js';
import { addTrackersUpdate } from './trackers/update.js';
import { addTrackersUse } from './trackers/use.js';
import { addTransfersAdd } from './transfers/add.js';
import { addTransfersShow } from './transfers/show.js';

type DefineCommand = (parent: Command, cli: Cli) => void;

/** Every command of the program, noun by noun, in the order of the help. */
export function addCommands(program: Command, cli: Cli): void {
  for (const add of topLevelCommands) add(program, cli);
  for (const [name, summary, verbs] of nouns) {
    const noun = program.command(name).description(summary);
    for (const add of verbs) add(noun, cli);
  }
}

const topLevelCommands: readonly DefineCommand[] = [
  addRegister,
  addLogin,
  addLogout,
  addStatus,
  addDoctor,
  addImport,
  addBalances,
  addApi,
  addCompletion,
  addComplete,
];

const nouns: readonly (readonly [name: string, summary: string, verbs: readonly DefineCommand[]])[] = [
  [
    'trackers',
    'Workspaces of one household or business',
    [
      addTrackersList,
      addTrackersCreate,
      addTrackersUpdate,
      addTrackersUse,
      addTrackersSetActive,
      addTrackersSetDefault,
    ],
  ],
  [
    'members',
    'Who may see and record in a tracker',
    [addMembersList, addMembersAdd, addMembersChangeRole, addMembersRemove],
  ],
  [
    'invitations',
    'Trackers of others that you are invited to',
    [addInvitationsList, addInvitationsAccept, addInvitationsDecline],
  ],
  ['accounts', 'Bank accounts, cards, cash', [addAccountsList, addAccountsCreate, addAccountsUpdate]],
  ['cashboxes', 'Parts of an account', [addCashboxesList, addCashboxesCreate, addCashboxesUpdate]],
  ['categories', 'What money is spent on', [addCategoriesList, addCategoriesShow, addCategoriesCreate]],
  [
    'movements',
    'Expenses and incomes',
    [addMovementsList, addMovementsShow, addMovementsAdd, addMovementsCorrect, addMovementsSummary, addMovementsExport],
  ],
  ['transfers', 'Money between your own accounts', [addTransfersAdd, addTransfersShow]],
  ['budgets', 'Plans, and what came of them', [addBudgetsList, addBudgetsShow, addBudgetsCreate, addBudgetsAddLine]],
  ['keys', 'API keys for programs', [addKeysList, addKeysCreate, addKeysRotate, addKeysRevoke]],
  ['clients', 'Integration clients: assistants, other services', [addClientsList, addClientsCreate, addClientsRevoke]],
  [
    'profiles',
    'Settings and sessions that are kept on this machine',
    [addProfilesList, addProfilesShow, addProfilesUse, addProfilesSet, addProfilesDelete],
  ],
  ['totp', 'One-time codes of an authenticator app', [addTotpEnrol, addTotpVerify]],
];
