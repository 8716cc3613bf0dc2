import type { Change, ChangesResource, FollowOptions } from '@centavo/sdk';
import type { Command } from 'commander';
import { InterruptedError, UsageError } from '../../errors.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { changeView } from './change-view.js';
import { addChangesFlags, type ChangesFlags, toQuery } from './changes.js';

interface WatchFlags extends ChangesFlags {
  readonly limit?: string;
}

export function addWatch(program: Command, cli: Cli): void {
  defineCommand<WatchFlags>(program, cli, {
    usage: 'watch',
    summary: 'Print each change of the tracker as it happens',
    examples: [
      'centavo watch --since AQAAAAAAAAAHAAAAAAAAAAA --type movement --limit 1',
      'centavo watch --since AQAAAAAAAAAHAAAAAAAAAAA -o jsonl --include-record --limit 1',
    ],
    interruption: 'own',
    options: (command) =>
      addChangesFlags(command).option('--limit <changes>', 'stop after this many changes (default: never)'),
    act: async (context, flags) => {
      const limit = readLimit(flags.limit);
      const client = await context.clientInTracker();
      const { changes: feed } = client;
      const signal = context.io.interruption;
      const query = toQuery(flags);
      const after = query.after ?? (await feed.list({ from: 'now' }, { signal }).withResponse()).meta?.feed?.cursor;
      const position = { cursor: after ?? '' };
      const changes = follow(feed, { limit, position, options: { ...query, after, signal } });
      await printEach(context, changes);
      context.printer.note(`Continue with --since ${position.cursor}`);
      if (signal.aborted) throw new InterruptedError();
    },
  });
}

/** Yields up to `limit` changes. After each change, stores its cursor in `position`. */
async function* follow(
  feed: ChangesResource,
  watch: { readonly limit: number; readonly position: { cursor: string }; readonly options: FollowOptions },
): AsyncGenerator<Change> {
  let count = 0;
  for await (const { change, cursor } of feed.follow(watch.options)) {
    yield change;
    watch.position.cursor = cursor;
    count += 1;
    if (count === watch.limit) return;
  }
}

/** Prints each change immediately. Format `table` prints plain lines, because a table would appear only after the last change. */
async function printEach({ printer }: CommandContext, changes: AsyncIterable<Change>): Promise<void> {
  if (printer.format !== 'table') return printer.printRecords(changes, changeView);
  for await (const { sequence, occurredAt, type, resource } of changes) {
    await printer.printLine(`${sequence}  ${occurredAt}  ${type}  ${resource.id}`);
  }
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--limit "${text}" is not a whole number above 0 with at most nine digits.`);
}
