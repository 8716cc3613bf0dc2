import type { GroupDescription } from './shared/define.js';

/** The help of each group of commands. */
export const groupTexts = {
  trackers: {
    name: 'trackers',
    summary: 'Workspaces of one household or business',
    description:
      'A tracker is the workspace of one household or business: it holds accounts, movements, budgets and members. Every command acts in one tracker, which --tracker, the profile or the server chooses.',
    examples: [
      'centavo trackers list',
      'centavo trackers create Household --currency EUR --time-zone Europe/Madrid',
      'centavo trackers use Household',
    ],
  },
  accounts: {
    name: 'accounts',
    summary: 'Bank accounts, cards, cash',
    description:
      'An account is what your bank calls one, or a card, a loan or cash. Each account has a currency and one or more cashboxes, which hold its money.',
    examples: [
      'centavo accounts list',
      'centavo accounts create Checking --currency EUR --opening-balance 100.00',
      'centavo accounts update "Old card" --status archived',
    ],
  },
  cashboxes: {
    name: 'cashboxes',
    summary: 'Parts of an account',
    description:
      'A cashbox is a part of an account, such as a savings jar. An account with one cashbox needs no further thought: movements go there.',
    examples: [
      'centavo cashboxes list Checking',
      'centavo cashboxes create Checking "Savings jar" --opening-balance 100.00',
      'centavo cashboxes update "Savings jar" --name Holidays',
    ],
  },
  categories: {
    name: 'categories',
    summary: 'Categories of expenses and incomes',
    description:
      'Categories say what expenses and incomes are for. Some come with the system, and you add those of a tracker or your own.',
    examples: [
      'centavo categories list',
      'centavo categories show Groceries',
      'centavo categories create Groceries --kind expense',
    ],
  },
  movements: {
    name: 'movements',
    summary: 'Expenses and incomes',
    description:
      'A movement is an expense or an income in one account. It can be corrected or voided, and it is never deleted.',
    examples: [
      'centavo movements add --type expense --amount 12.50 --account Checking --category Groceries',
      'centavo movements list --month 2026-01',
      'centavo movements summary --by month --from 2026-01-01 --account Checking',
      'centavo movements export > movements.csv',
    ],
  },
  transfers: {
    name: 'transfers',
    summary: 'Money between your own accounts',
    description:
      'A transfer moves money between two of your accounts. Both halves are recorded together, and no summary counts them.',
    examples: [
      'centavo transfers add --amount 250 --from-account Checking --to-account "Platinum Card"',
      'centavo transfers show 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11',
    ],
  },
  budgets: {
    name: 'budgets',
    summary: 'Budgets with planned and actual amounts',
    description:
      'A budget plans amounts for categories in a period. It shows next to each plan what was really spent or received.',
    examples: [
      'centavo budgets create May --month 2026-05 --line Groceries=400 --line Salary=2000:income',
      'centavo budgets add-line 2026-05 --category Groceries --planned 400',
      'centavo budgets show 2026-05',
    ],
  },
  members: {
    name: 'members',
    summary: 'Users who may read or record in a tracker',
    description:
      'Members are the users who may read or record in a tracker, each with a role. A new member is invited, and joins by accepting.',
    examples: [
      'centavo members list',
      'centavo members add luis@example.com --role editor',
      'centavo members change-role luis@example.com --role viewer',
    ],
  },
  invitations: {
    name: 'invitations',
    summary: 'Invitations to trackers of other users',
    description: 'Other users invite you to their trackers. You become a member only when you accept.',
    examples: ['centavo invitations list', 'centavo invitations accept "Beach house"'],
  },
  keys: {
    name: 'keys',
    summary: 'API keys for programs',
    description:
      'An API key lets a program act in chosen trackers with chosen scopes until it expires. Its secret is printed once.',
    examples: [
      'centavo keys create import --scope movements:read --scope movements:write --for-tracker Household',
      'centavo keys list',
      'centavo keys rotate import',
      'centavo keys revoke import',
    ],
  },
  clients: {
    name: 'clients',
    summary: 'Integration clients: assistants, other services',
    description:
      'An integration client is the credential of an assistant or another service. It acts for you, in the trackers that you are a member of.',
    examples: [
      'centavo clients create assistant --scope movements:read --scope budgets:read',
      'centavo clients list',
      'centavo clients revoke assistant',
    ],
  },
  totp: {
    name: 'totp',
    summary: 'One-time codes of an authenticator app',
    description:
      'An authenticator app makes one-time codes, which sensitive operations such as new API keys need. Enrol the app once, and enter a code when a command asks.',
    examples: ['centavo totp enrol', 'centavo totp verify --code 123456'],
  },
  profiles: {
    name: 'profiles',
    summary: 'Settings and sessions on this machine',
    description:
      'A profile keeps the settings and the session of one server or user on this machine. Use several to work with several servers.',
    examples: [
      'centavo profiles list',
      'centavo profiles set base-url https://money.example.com --profile work',
      'centavo profiles use work',
      'centavo profiles show --origin',
    ],
  },
} as const satisfies Readonly<Record<string, GroupDescription>>;
