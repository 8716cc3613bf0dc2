import { calls } from '@centavo/contracts/calls';
import type { ReadTool } from './tool.js';

/** The tools that read, in the order of `tools/list`. */
export const readTools: readonly ReadTool[] = [
  {
    kind: 'read',
    name: 'get_context',
    call: calls.getContext,
    title: 'Show the tracker and the caller',
    description: 'Returns the tracker that requests act in, and the scopes of the credential.',
    paging: 'none',
  },
  {
    kind: 'read',
    name: 'list_trackers',
    call: calls.listTrackers,
    title: 'List trackers',
    description: 'Lists the trackers that this credential may use, with the role in each.',
    paging: { by: 'tool' },
  },
  {
    kind: 'read',
    name: 'list_accounts',
    call: calls.listAccounts,
    title: 'List accounts',
    description: 'Lists the active accounts of the tracker. get_balances also shows their cashboxes.',
    paging: { by: 'tool' },
  },
  {
    kind: 'read',
    name: 'get_balances',
    call: calls.listBalances,
    title: 'Show balances',
    description:
      'Lists the balance of each active cashbox, now or at the end of the day asOf. Amounts are decimal strings.',
    paging: { by: 'tool' },
  },
  {
    kind: 'read',
    name: 'list_categories',
    call: calls.listCategories,
    title: 'List categories',
    description: 'Lists the categories that movements and budget lines of the tracker may use.',
    paging: { by: 'tool' },
  },
  {
    kind: 'read',
    name: 'list_movements',
    call: calls.listMovements,
    title: 'List movements',
    description: 'Lists expenses, incomes and legs of transfers, the newest first. summarize_movements returns totals.',
    paging: { by: 'api', parameter: 'cursor' },
    without: ['offset', 'includeTotal'],
  },
  {
    kind: 'read',
    name: 'get_movement',
    call: calls.getMovement,
    title: 'Show a movement',
    description: 'Returns one movement with its version, which correct_movement and void_movement need.',
    paging: 'none',
  },
  {
    kind: 'read',
    name: 'get_transfer',
    call: calls.getTransfer,
    title: 'Show a transfer',
    description: 'Returns one transfer with both movements. void_transfer needs the version of its movements.',
    paging: 'none',
  },
  {
    kind: 'read',
    name: 'list_budgets',
    call: calls.listBudgets,
    title: 'List budgets',
    description: 'Lists the budgets of the tracker without their lines.',
    paging: { by: 'tool' },
  },
  {
    kind: 'read',
    name: 'get_budget',
    call: calls.getBudget,
    title: 'Show a budget',
    description: 'Returns one budget with its plan, its actual amounts and a page of its lines.',
    paging: { by: 'field', field: 'lines' },
  },
  {
    kind: 'read',
    name: 'list_changes',
    call: calls.listChanges,
    title: 'List changes',
    description:
      'Lists what has changed in the tracker, the oldest first. feed.cursor is the position for a later call; from now returns only the position.',
    paging: { by: 'api', parameter: 'after' },
    without: ['waitSeconds'],
  },
  {
    kind: 'read',
    name: 'summarize_movements',
    call: calls.summarizeMovements,
    title: 'Summarize movements',
    description:
      'Returns totals by category, month, merchant or account, one row for each currency. Amounts of two currencies are never added.',
    paging: { by: 'tool', apiRowsMax: 1000 },
  },
];
