import { pageLimitMax } from '@centavo/contracts/calls';
import type { Command } from 'commander';
import { type Cli, defineCommand } from '../shared/define.js';
import { requireWholeNumber } from '../shared/flags.js';
import { auditEventView } from './event-view.js';

interface AuditListFlags {
  readonly resourceType?: string;
  readonly resourceId?: string;
  readonly actor?: string;
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
  readonly order?: string;
  readonly limit?: string;
  readonly cursor?: string;
  readonly all?: boolean;
}

export function addAuditList(audit: Command, cli: Cli): void {
  defineCommand<AuditListFlags>(audit, cli, {
    usage: 'list',
    summary: 'List what was done in the tracker, newest first',
    examples: [
      'centavo audit list --type "member.*"',
      'centavo audit list --from 2026-01-01 --to 2026-01-31 --all -o jsonl > january.jsonl',
    ],
    options: (command) =>
      command
        .option('--resource-type <type>', 'events of one kind of record, such as movement')
        .option('--resource-id <id>', 'events of one record (requires --resource-type)')
        .option('--actor <id>', 'events of one user, key or client')
        .option('--type <type>', 'a type such as movement.created, or "movement.*"')
        .option('--from <date>', 'first day, YYYY-MM-DD')
        .option('--to <date>', 'last day, YYYY-MM-DD')
        .option('--order <order>', 'desc or asc (default: desc)')
        .option('--limit <rows>', 'rows per page, 1-200 (default: 50)')
        .option('--cursor <cursor>', 'continue from the cursor of an earlier page')
        .option('--all', 'all rows'),
    act: async ({ clientInTracker, printer }, flags) => {
      const client = await clientInTracker();
      const { actor, order, limit, all = false, ...filters } = pickFilters(flags);
      const events = client.auditEvents.list({
        ...filters,
        actorId: actor,
        order: order as 'asc' | 'desc' | undefined,
        limit: limit === undefined ? (all ? pageLimitMax : undefined) : requireWholeNumber('--limit', limit),
      });
      if (all) return printer.printRecords(events, auditEventView);
      const { data, pagination } = await events;
      await printer.printRecords(data, auditEventView);
      if (pagination.hasMore) printer.note(`There are more rows. Use --all, or --cursor ${pagination.nextCursor}`);
    },
  });
}

/** Returns the flags of this command without the global flags. */
function pickFilters(flags: AuditListFlags): AuditListFlags {
  const { resourceType, resourceId, actor, type, from, to, order, limit, cursor, all } = flags;
  return { resourceType, resourceId, actor, type, from, to, order, limit, cursor, all } as AuditListFlags;
}
