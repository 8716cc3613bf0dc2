import type { Command } from 'commander';
import { addImport } from '../import/command.js';
import { addAccountsCreate } from './accounts/create.js';
import { addAccountsList } from './accounts/list.js';
import { addAccountsUpdate } from './accounts/update.js';
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
import { addMovementsVoid } from './movements/void.js';
import { addProfilesDelete } from './profiles/delete.js';
import { addProfilesList } from './profiles/list.js';
import { addProfilesSet } from './profiles/set.js';
import { addProfilesShow } from './profiles/show.js';
import { addProfilesUse } from './profiles/use.js';
import { addLogin } from './session/login.js';
import { addLogout } from './session/logout.js';
import { addRegister } from './session/register.js';
import { type Cli, describeGroup, type GroupDescription } from './shared/define.js';
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
import { addTransfersVoid } from './transfers/void.js';

type DefineCommand = (parent: Command, cli: Cli) => void;

/** A group of commands, such as `centavo movements`. */
interface CommandGroup extends GroupDescription {
  readonly commands: readonly DefineCommand[];
}

/** Adds all commands to the program, in the order of the help. */
export function addCommands(program: Command, cli: Cli): void {
  for (const define of topLevelCommands) define(program, cli);
  for (const { commands, ...description } of groups) {
    const group = describeGroup(program, description);
    for (const define of commands) define(group, cli);
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

const groups: readonly CommandGroup[] = [
  {
    name: 'trackers',
    summary: 'Workspaces of one household or business',
    examples: [
      'centavo trackers list',
      'centavo trackers create Household --currency EUR --time-zone Europe/Madrid',
      'centavo trackers use Household',
    ],
    commands: [
      addTrackersList,
      addTrackersCreate,
      addTrackersUpdate,
      addTrackersUse,
      addTrackersSetActive,
      addTrackersSetDefault,
    ],
  },
  {
    name: 'members',
    summary: 'Users who may read or record in a tracker',
    examples: [
      'centavo members list',
      'centavo members add luis@example.com --role editor',
      'centavo members change-role luis@example.com --role viewer',
    ],
    commands: [addMembersList, addMembersAdd, addMembersChangeRole, addMembersRemove],
  },
  {
    name: 'invitations',
    summary: 'Invitations to trackers of other users',
    examples: ['centavo invitations list', 'centavo invitations accept "Beach house"'],
    commands: [addInvitationsList, addInvitationsAccept, addInvitationsDecline],
  },
  {
    name: 'accounts',
    summary: 'Bank accounts, cards, cash',
    examples: [
      'centavo accounts list',
      'centavo accounts create Checking --currency EUR --opening-balance 100.00',
      'centavo accounts update "Old card" --status archived',
    ],
    commands: [addAccountsList, addAccountsCreate, addAccountsUpdate],
  },
  {
    name: 'cashboxes',
    summary: 'Parts of an account',
    examples: [
      'centavo cashboxes list Checking',
      'centavo cashboxes create Checking "Savings jar" --opening-balance 100.00',
      'centavo cashboxes update "Savings jar" --name Holidays',
    ],
    commands: [addCashboxesList, addCashboxesCreate, addCashboxesUpdate],
  },
  {
    name: 'categories',
    summary: 'Categories of expenses and incomes',
    examples: [
      'centavo categories list',
      'centavo categories show Groceries',
      'centavo categories create Groceries --kind expense',
    ],
    commands: [addCategoriesList, addCategoriesShow, addCategoriesCreate],
  },
  {
    name: 'movements',
    summary: 'Expenses and incomes',
    examples: [
      'centavo movements add --type expense --amount 12.50 --account Checking --category Groceries',
      'centavo movements list --month 2026-01',
      'centavo movements summary --by month --from 2026-01-01 --account Checking',
      'centavo movements export > movements.csv',
    ],
    commands: [
      addMovementsList,
      addMovementsShow,
      addMovementsAdd,
      addMovementsCorrect,
      addMovementsVoid,
      addMovementsSummary,
      addMovementsExport,
    ],
  },
  {
    name: 'transfers',
    summary: 'Money between your own accounts',
    examples: [
      'centavo transfers add --amount 250 --from-account Checking --to-account "Platinum Card"',
      'centavo transfers show 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11',
    ],
    commands: [addTransfersAdd, addTransfersShow, addTransfersVoid],
  },
  {
    name: 'budgets',
    summary: 'Budgets with planned and actual amounts',
    examples: [
      'centavo budgets create May --month 2026-05 --line Groceries=400 --line Salary=2000:income',
      'centavo budgets add-line 2026-05 --category Groceries --planned 400',
      'centavo budgets show 2026-05',
    ],
    commands: [addBudgetsList, addBudgetsShow, addBudgetsCreate, addBudgetsAddLine],
  },
  {
    name: 'keys',
    summary: 'API keys for programs',
    examples: [
      'centavo keys create import --scope movements:read --scope movements:write --for-tracker Household',
      'centavo keys list',
      'centavo keys rotate import',
      'centavo keys revoke import',
    ],
    commands: [addKeysList, addKeysCreate, addKeysRotate, addKeysRevoke],
  },
  {
    name: 'clients',
    summary: 'Integration clients: assistants, other services',
    examples: [
      'centavo clients create assistant --scope movements:read --scope budgets:read',
      'centavo clients list',
      'centavo clients revoke assistant',
    ],
    commands: [addClientsList, addClientsCreate, addClientsRevoke],
  },
  {
    name: 'profiles',
    summary: 'Settings and sessions on this machine',
    examples: [
      'centavo profiles list',
      'centavo profiles set base-url https://money.example.com --profile work',
      'centavo profiles use work',
      'centavo profiles show --origin',
    ],
    commands: [addProfilesList, addProfilesShow, addProfilesUse, addProfilesSet, addProfilesDelete],
  },
  {
    name: 'totp',
    summary: 'One-time codes of an authenticator app',
    examples: ['centavo totp enrol', 'centavo totp verify --code 123456'],
    commands: [addTotpEnrol, addTotpVerify],
  },
];
