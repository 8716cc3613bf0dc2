import { calls } from '@centavo/contracts/calls';
import type { WriteTool } from './tool.js';

/** The tools that write, in the order of `tools/list`. */
export const writeTools: readonly WriteTool[] = [
  {
    kind: 'write',
    name: 'record_movement',
    call: calls.createMovement,
    title: 'Record a movement',
    description: 'Records one expense or income. Use record_transfer to move money between two accounts.',
    isDestructive: false,
  },
  {
    kind: 'write',
    name: 'record_movements',
    call: calls.createMovements,
    title: 'Record several movements',
    description: 'Records up to 100 expenses and incomes: all of them, or none.',
    fixed: { mode: 'atomic' },
    isDestructive: false,
  },
  {
    kind: 'write',
    name: 'record_transfer',
    call: calls.createTransfer,
    title: 'Record a transfer',
    description: 'Moves money between two accounts of the tracker, as one operation.',
    isDestructive: false,
  },
  {
    kind: 'write',
    name: 'correct_movement',
    call: calls.correctMovement,
    title: 'Correct a movement',
    description:
      'Changes amount, category, description or merchant of one movement. Legs of transfers cannot be corrected.',
    versionOf: { call: calls.getMovement, versionsIn: ({ version }: { version: number }) => [version] },
    isDestructive: true,
  },
  {
    kind: 'write',
    name: 'void_movement',
    call: calls.voidMovement,
    title: 'Void a movement',
    description: 'Voids one movement. It stays readable, but balances and totals exclude it. A void cannot be undone.',
    versionOf: { call: calls.getMovement, versionsIn: ({ version }: { version: number }) => [version] },
    isDestructive: true,
  },
  {
    kind: 'write',
    name: 'void_transfer',
    call: calls.voidTransfer,
    title: 'Void a transfer',
    description: 'Voids both movements of a transfer. A void cannot be undone.',
    versionOf: {
      call: calls.getTransfer,
      versionsIn: ({ movements }: { movements: readonly { version: number }[] }) =>
        movements.map(({ version }) => version),
    },
    isDestructive: true,
  },
  {
    kind: 'write',
    name: 'create_category',
    call: calls.createCategory,
    title: 'Create a category',
    description: 'Creates a category of the tracker, or a category of the user if scope is user.',
    isDestructive: false,
  },
  {
    kind: 'write',
    name: 'create_budget',
    call: calls.createBudget,
    title: 'Create a budget',
    description: 'Creates a budget of a period, with up to 200 lines.',
    isDestructive: false,
  },
  {
    kind: 'write',
    name: 'add_budget_line',
    call: calls.addBudgetLine,
    title: 'Add a budget line',
    description: 'Adds the planned amount of one category to a budget.',
    isDestructive: false,
  },
];
