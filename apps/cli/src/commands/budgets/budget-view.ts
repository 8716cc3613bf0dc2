import type { Budget, BudgetLine } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';

export const budgetView: RecordView<Budget> = {
  columns: [
    { header: 'NAME', value: (budget) => budget.name, flexible: true, roomy: true },
    { header: 'STATUS', value: (budget) => budget.status },
    { header: 'FROM', value: (budget) => budget.periodStart },
    { header: 'TO', value: (budget) => budget.periodEnd, droppable: 'last' },
    { header: 'MODE', value: (budget) => budget.mode, droppable: 'last' },
    { header: 'CURRENCY', value: (budget) => budget.currencyCode, droppable: 'last' },
    { header: 'LINES', value: (budget) => String(budget.lineCount), align: 'right', droppable: 'last' },
    { header: 'ID', value: (budget) => budget.id, droppable: true },
  ],
  fields: [
    'id',
    'trackerId',
    'name',
    'mode',
    'status',
    'currencyCode',
    'periodStart',
    'periodEnd',
    'lineCount',
    'createdAt',
    'updatedAt',
  ],
};

/** @param categoryNames for people; ids stand for those that it lacks */
export const budgetLineView = (categoryNames: ReadonlyMap<string, string> = new Map()): RecordView<BudgetLine> => ({
  columns: [
    { header: 'CATEGORY', value: (line) => categoryNames.get(line.categoryId) ?? line.categoryId },
    { header: 'TYPE', value: (line) => line.type },
    { header: 'PLANNED', value: (line) => line.plannedDecimal },
    { header: 'ACTUAL', value: (line) => line.actualDecimal },
    { header: 'REMAINING', value: (line) => line.remainingDecimal },
    { header: 'NOTE', value: (line) => line.note },
    { header: 'ID', value: (line) => line.id },
  ],
  fields: [
    'id',
    'budgetId',
    'categoryId',
    'type',
    'plannedDecimal',
    'actualDecimal',
    'remainingDecimal',
    'note',
    'createdAt',
  ],
});
