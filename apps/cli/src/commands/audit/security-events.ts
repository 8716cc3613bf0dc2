import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireWholeNumber } from '../shared/flags.js';
import { securityEventView } from './event-view.js';

interface SecurityEventsFlags {
  readonly limit?: string;
  readonly all?: boolean;
}

export function addSecurityEvents(program: Command, cli: Cli): void {
  defineCommand<SecurityEventsFlags>(program, cli, {
    usage: 'security-events',
    summary:
      'List your security events, newest first: keys, clients, own categories, trackers that you created or set as active or default',
    examples: ['centavo security-events', 'centavo security-events --all -o jsonl'],
    caller: 'user',
    options: (command) =>
      command.option('--limit <rows>', 'rows to show, 1-200 (default: 50)').option('--all', 'all rows'),
    act: async ({ connection, printer }, { limit, all }) => {
      const page = limit === undefined ? {} : { limit: requireWholeNumber('--limit', limit) };
      const events = connection.client.securityEvents.list(page);
      if (all === true) return printer.printRecords(events, securityEventView);
      const { data, pagination } = await events;
      await printer.printRecords(data, securityEventView);
      if (pagination.hasMore) printer.note('There are more events. Add --all to list them.');
    },
  });
}
