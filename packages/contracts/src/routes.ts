import { accountsRoutes } from './accounts/accounts.routes.js';
import { budgetsRoutes } from './budgets/budgets.routes.js';
import { categoriesRoutes } from './categories/categories.routes.js';
import { contextRoutes } from './context/context.routes.js';
import { credentialsRoutes } from './credentials/credentials.routes.js';
import { eventsRoutes } from './events/events.routes.js';
import { identityRoutes } from './identity/identity.routes.js';
import { movementsRoutes } from './movements/movements.routes.js';
import { transfersRoutes } from './transfers/transfers.routes.js';
import { webhooksRoutes } from './webhooks/webhooks.routes.js';

/** All routes, by operation name. */
export const routes = {
  ...contextRoutes,
  ...accountsRoutes,
  ...categoriesRoutes,
  ...movementsRoutes,
  ...transfersRoutes,
  ...budgetsRoutes,
  ...eventsRoutes,
  ...webhooksRoutes,
  ...credentialsRoutes,
  ...identityRoutes,
} as const;

export type RouteName = keyof typeof routes;
