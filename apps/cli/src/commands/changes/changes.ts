import { type EventResourceType, eventResourceTypes } from '@centavo/contracts/calls';
import type { Change, ChangesQuery, FinancialClient } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { changeView } from './change-view.js';

/** The flags of `changes` and `watch`. */
export interface ChangesFlags {
  readonly since?: string;
  readonly type?: string;
  readonly includeRecord?: boolean;
}

export function addChanges(program: Command, cli: Cli): void {
  defineCommand<ChangesFlags>(program, cli, {
    usage: 'changes',
    summary: 'List the changes of the tracker, the oldest first',
    examples: [
      'centavo changes -o jsonl > changes.jsonl',
      'centavo changes --since AQAAAAAAAAAHAAAAAAAAAAA --type movement,transfer',
    ],
    options: addChangesFlags,
    act: async (context, flags) => {
      const client = await context.clientInTracker();
      const position = { cursor: flags.since ?? '' };
      await context.printer.printRecords(readAll(client, { ...toQuery(flags), position }), changeView);
      context.printer.note(`Continue with --since ${position.cursor}`);
    },
  });
}

/** Adds the flags that `changes` and `watch` share. */
export function addChangesFlags(command: Command): Command {
  return command
    .option('--since <cursor>', 'the changes after this cursor')
    .option('--type <types>', `only these record types, separated by commas: ${eventResourceTypes.join(', ')}`)
    .option('--include-record', 'add each record as it is now');
}

/** Returns the query that the flags describe. @throws UsageError (exit 2) for an unknown type */
export function toQuery({ since, type, includeRecord }: ChangesFlags): ChangesQuery {
  const types = type?.split(',').map((name) => name.trim());
  const unknown = types?.find((name) => !eventResourceTypes.includes(name as EventResourceType));
  if (unknown !== undefined) {
    throw new UsageError(`--type "${unknown}" is not a record type. Types: ${eventResourceTypes.join(', ')}.`);
  }
  return {
    after: since,
    resourceTypes: types as EventResourceType[] | undefined,
    ...(includeRecord === true && { include: 'record' as const }),
  };
}

/** Yields the changes of all pages. After each page, stores its cursor in `position`. */
async function* readAll(
  client: FinancialClient,
  { position, ...query }: ChangesQuery & { readonly position: { cursor: string } },
): AsyncGenerator<Change> {
  let after = query.after;
  for (let hasMore = true; hasMore; ) {
    const { data, meta } = await client.changes.list({ ...query, after, limit: 200 }).withResponse();
    yield* data;
    after = meta?.feed?.cursor;
    hasMore = meta?.feed?.hasMore === true;
    position.cursor = after ?? position.cursor;
  }
}
