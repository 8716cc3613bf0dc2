import type { Command } from 'commander';
import { addImport } from '../import/command.js';
import { addAccountsCreate } from './accounts/create.js';
import { addAccountsList } from './accounts/list.js';
import { addAccountsUpdate } from './accounts/update.js';
import { addApi } from './api/api.js';
import { addAuditHead } from './audit/head.js';
import { addAuditList } from './audit/list.js';
import { addSecurityEvents } from './audit/security-events.js';
import { addAuditVerify } from './audit/verify.js';
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
import { addChanges } from './changes/changes.js';
import { addWatch } from './changes/watch.js';
import { addClientsCreate } from './clients/create.js';
import { addClientsList } from './clients/list.js';
import { addClientsRevoke } from './clients/revoke.js';
import { addComplete } from './completion/complete.js';
import { addCompletion } from './completion/completion.js';
import { addDoctor } from './doctor/doctor.js';
import { groupTexts } from './group-texts.js';
import { addInvitationsAccept } from './invitations/accept.js';
import { addInvitationsDecline } from './invitations/decline.js';
import { addInvitationsList } from './invitations/list.js';
import { addKeysCreate } from './keys/create.js';
import { addKeysList } from './keys/list.js';
import { addKeysRevoke } from './keys/revoke.js';
import { addKeysRotate } from './keys/rotate.js';
import { addListen } from './listen/listen.js';
import { addMcp } from './mcp/serve.js';
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
import { type Cli, describeGroup } from './shared/define.js';
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
import { addWebhooksCreate } from './webhooks/create.js';
import { addWebhooksDelete } from './webhooks/delete.js';
import { addWebhooksDeliveries } from './webhooks/deliveries.js';
import { addWebhooksList } from './webhooks/list.js';
import { addWebhooksReplay } from './webhooks/replay.js';
import { addWebhooksRetry } from './webhooks/retry.js';
import { addWebhooksRotate } from './webhooks/rotate.js';
import { addWebhooksShow } from './webhooks/show.js';
import { addWebhooksTest } from './webhooks/test.js';
import { addWebhooksUpdate } from './webhooks/update.js';

type DefineCommand = (parent: Command, cli: Cli) => void;

/** Commands under one heading of `centavo --help`. */
interface Section {
  readonly heading: string;
  readonly commands: readonly DefineCommand[];
  /** The subcommands of each command group, such as `list` and `show` of the group `movements`. */
  readonly groups: Readonly<Partial<Record<keyof typeof groupTexts, readonly DefineCommand[]>>>;
}

/** Adds all commands to the program, in the order of the help. */
export function addCommands(program: Command, cli: Cli): void {
  for (const { heading, commands, groups } of sections) {
    program.commandsGroup(heading);
    for (const define of commands) define(program, cli);
    for (const [name, ofGroup] of Object.entries(groups)) {
      const group = describeGroup(program, groupTexts[name as keyof typeof groupTexts]);
      for (const define of ofGroup) define(group, cli);
    }
  }
}

const sections: readonly Section[] = [
  {
    heading: 'Core commands:',
    commands: [addImport, addBalances, addChanges, addWatch],
    groups: {
      trackers: [
        addTrackersList,
        addTrackersCreate,
        addTrackersUpdate,
        addTrackersUse,
        addTrackersSetActive,
        addTrackersSetDefault,
      ],
      accounts: [addAccountsList, addAccountsCreate, addAccountsUpdate],
      cashboxes: [addCashboxesList, addCashboxesCreate, addCashboxesUpdate],
      categories: [addCategoriesList, addCategoriesShow, addCategoriesCreate],
      movements: [
        addMovementsList,
        addMovementsShow,
        addMovementsAdd,
        addMovementsCorrect,
        addMovementsVoid,
        addMovementsSummary,
        addMovementsExport,
      ],
      transfers: [addTransfersAdd, addTransfersShow, addTransfersVoid],
    },
  },
  {
    heading: 'Planning commands:',
    commands: [],
    groups: {
      budgets: [addBudgetsList, addBudgetsShow, addBudgetsCreate, addBudgetsAddLine],
    },
  },
  {
    heading: 'Access commands:',
    commands: [addRegister, addLogin, addLogout, addStatus, addSecurityEvents],
    groups: {
      members: [addMembersList, addMembersAdd, addMembersChangeRole, addMembersRemove],
      invitations: [addInvitationsList, addInvitationsAccept, addInvitationsDecline],
      keys: [addKeysList, addKeysCreate, addKeysRotate, addKeysRevoke],
      clients: [addClientsList, addClientsCreate, addClientsRevoke],
      totp: [addTotpEnrol, addTotpVerify],
      audit: [addAuditList, addAuditHead, addAuditVerify],
    },
  },
  {
    heading: 'Integration commands:',
    commands: [addListen],
    groups: {
      webhooks: [
        addWebhooksList,
        addWebhooksCreate,
        addWebhooksShow,
        addWebhooksUpdate,
        addWebhooksDelete,
        addWebhooksRotate,
        addWebhooksTest,
        addWebhooksDeliveries,
        addWebhooksRetry,
        addWebhooksReplay,
      ],
    },
  },
  {
    heading: 'Set-up commands:',
    commands: [addDoctor, addCompletion, addComplete, addApi, addMcp],
    groups: {
      profiles: [addProfilesList, addProfilesShow, addProfilesUse, addProfilesSet, addProfilesDelete],
    },
  },
];
