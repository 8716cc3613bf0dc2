import type { GroupDescription } from './shared/define.js';

/** The help of each group of commands: its purpose in two sentences, and two complete examples. */
export const groupTexts = {
  trackers: {
    name: 'trackers',
    summary: 'Workspaces of one household or business',
    description:
      'A tracker is the workspace of one household or business, with its accounts, movements, budgets and members. Commands act in the tracker that --tracker, CENTAVO_TRACKER or the profile names, otherwise in the tracker that the server chooses.',
    examples: [
      'centavo trackers create Household --currency EUR --time-zone Europe/Madrid',
      'centavo trackers use Household',
    ],
  },
  accounts: {
    name: 'accounts',
    summary: 'Bank accounts, cards, cash',
    description:
      'An account is, for example, a bank account, a card, a loan or cash. It has one currency, and one or more cashboxes with its money.',
    examples: [
      'centavo accounts create Checking --currency EUR --opening-balance 100.00',
      'centavo accounts update "Old card" --status archived',
    ],
  },
  cashboxes: {
    name: 'cashboxes',
    summary: 'Parts of an account',
    description:
      'A cashbox is a part of an account with its own balance, such as a savings jar. If an account has only one active cashbox, --cashbox is not needed.',
    examples: [
      'centavo cashboxes create Checking "Savings jar" --opening-balance 100.00',
      'centavo cashboxes update "Savings jar" --name Holidays',
    ],
  },
  categories: {
    name: 'categories',
    summary: 'Categories of expenses and incomes',
    description:
      'A category groups expenses and incomes by their purpose. The system has some categories, and you can create more for a tracker or for yourself.',
    examples: ['centavo categories list', 'centavo categories create Groceries --kind expense'],
  },
  movements: {
    name: 'movements',
    summary: 'Expenses and incomes',
    description:
      'A movement is an expense or an income in one account. You can correct it or void it; it is never deleted.',
    examples: [
      'centavo movements add --type expense --amount 12.50 --account Checking --category Groceries',
      'centavo movements list --month 2026-01',
    ],
  },
  transfers: {
    name: 'transfers',
    summary: 'Money between your own accounts',
    description:
      'A transfer moves money between two of your accounts or cashboxes. Its two movements are recorded together, and summaries do not count them.',
    examples: [
      'centavo transfers add --amount 250 --from-account Checking --to-account "Platinum Card"',
      'centavo transfers show 0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11',
    ],
  },
  budgets: {
    name: 'budgets',
    summary: 'Budgets with planned and actual amounts',
    description:
      'A budget has planned amounts for categories in a period. In mode tracking, it compares each planned amount with the recorded movements.',
    examples: [
      'centavo budgets create May --month 2026-05 --line Groceries=400 --line Salary=2000:income',
      'centavo budgets show 2026-05',
    ],
  },
  members: {
    name: 'members',
    summary: 'Users who may read or record in a tracker',
    description:
      'A member is a user who may read or record in a tracker, according to a role. You invite a user, who becomes a member by accepting.',
    examples: ['centavo members list', 'centavo members add luis@example.com --role editor'],
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
      'A program uses an API key to act in chosen trackers with chosen scopes, until the key expires or is revoked. The secret of the key is printed once.',
    examples: [
      'centavo keys create import --scope movements:read --scope movements:write --for-tracker Household',
      'centavo keys rotate import',
    ],
  },
  clients: {
    name: 'clients',
    summary: 'Integration clients: assistants, other services',
    description:
      'An integration client is the credential of an assistant or another service. It acts in your name, in trackers of which you are a member.',
    examples: [
      'centavo clients create assistant --scope movements:read --scope budgets:read',
      'centavo clients revoke assistant',
    ],
  },
  webhooks: {
    name: 'webhooks',
    summary: 'Endpoints that receive events',
    description:
      'A webhook is your endpoint. The server delivers the events of a tracker to it, and signs them with a secret that is printed once.',
    examples: [
      "centavo webhooks create https://example.com/webhooks --events 'movement.*'",
      'centavo webhooks deliveries https://example.com/webhooks --status failed',
    ],
  },
  totp: {
    name: 'totp',
    summary: 'One-time codes of an authenticator app',
    description:
      'An authenticator app creates one-time codes. Sensitive operations, such as creating an API key, require a code.',
    examples: ['centavo totp enrol', 'centavo totp verify --code 123456'],
  },
  audit: {
    name: 'audit',
    summary: 'Who did what in a tracker',
    description:
      'The audit trail has an event for every write, with its author and time. Its events form a hash chain, so that a changed or removed event is detected.',
    examples: ['centavo audit list', 'centavo audit verify --deep'],
  },
  profiles: {
    name: 'profiles',
    summary: 'Settings and sessions on this machine',
    description:
      'A profile stores the settings and the session of one user at one server on this machine. Use several profiles to work with several servers or users.',
    examples: [
      'centavo profiles set base-url https://money.example.com --profile work',
      'centavo profiles show --origin',
    ],
  },
} as const satisfies Readonly<Record<string, GroupDescription>>;
