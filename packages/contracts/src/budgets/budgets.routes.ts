import * as z from 'zod';
import { route } from '../route-contract.js';
import { budgetDetailRecord, budgetLineRecord, budgetRecord } from './budget-records.js';
import { addBudgetLineBody, budgetFilters, createBudgetBody } from './budget-requests.js';
import { budgetsCalls } from './budgets.calls.js';

export const budgetsRoutes = {
  listBudgets: route(budgetsCalls.listBudgets, { query: budgetFilters, data: z.array(budgetRecord) }),
  getBudget: route(budgetsCalls.getBudget, { data: budgetDetailRecord }),
  createBudget: route(budgetsCalls.createBudget, {
    body: createBudgetBody,
    data: budgetDetailRecord,
    location: (budget) => `/v1/financial/budgets/${budget.id}`,
  }),
  addBudgetLine: route(budgetsCalls.addBudgetLine, {
    body: addBudgetLineBody,
    data: budgetLineRecord,
    location: (line) => `/v1/financial/budgets/${line.budgetId}`,
  }),
} as const;
