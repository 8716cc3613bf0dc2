import { matchesEventType, toWebhookBody } from '@centavo/contracts/calls';
import { type FinancialClient, type FollowFailure, MalformedAnswerError } from '@centavo/sdk';
import { type Command, Option } from 'commander';
import { UsageError } from '../../errors.js';
import type { Printer } from '../../ui/printer.js';
import type { RecordView } from '../../ui/table.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { printIfDryRun } from '../shared/dry-run.js';
import { collect, type WriteFlags } from '../shared/flags.js';
import { parseEventPatterns } from './event-filter.js';
import { type Delivery, forward, type Receiver } from './forward.js';
import { requireSigningSecret } from './signing-secret.js';

interface ListenFlags extends WriteFlags {
  readonly forwardTo: string;
  readonly events: readonly string[];
  readonly payload: 'reference' | 'record';
  readonly since?: string;
  readonly printJson?: boolean;
}

/** A forwarded event, as `json`, `jsonl` and `csv` print it. */
interface ForwardedEvent extends Delivery {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  /** The body that was sent; null without --print-json. */
  readonly event: unknown;
}

const eventView: RecordView<ForwardedEvent> = {
  columns: [],
  fields: ['sequence', 'id', 'type', 'status', 'error', 'durationMs', 'event'],
};

export function addListen(program: Command, cli: Cli): void {
  defineCommand<ListenFlags>(program, cli, {
    usage: 'listen',
    summary: 'Forward events to a receiver on this machine, signed as the server signs webhooks, until Ctrl-C',
    examples: [
      'centavo listen --forward-to http://127.0.0.1:3000/webhooks',
      "centavo listen --forward-to http://127.0.0.1:3000/webhooks --events 'movement.*' --payload record",
      'centavo listen --forward-to http://127.0.0.1:3000/webhooks --since beginning -o jsonl',
    ],
    writes: 'local',
    interruption: 'own',
    options: (command) =>
      command
        .requiredOption('--forward-to <url>', 'the receiver')
        .option('--events <types>', 'types or prefixes such as movement.*; repeat the flag or use commas', collect, [])
        .addOption(
          new Option('--payload <payload>', 'reference: the event; record: event, changed fields and record')
            .choices(['reference', 'record'])
            .default('reference'),
        )
        .option('--since <cursor>', 'a cursor, or "beginning" (default: new events only)')
        .option('--print-json', 'print the body of each event'),
    act: listen,
  });
}

async function listen(context: CommandContext, flags: ListenFlags): Promise<void> {
  const { io, printer } = context;
  const patterns = parseEventPatterns(flags.events);
  const url = requireReceiverUrl(flags.forwardTo);
  const change = `forwards ${patterns.join(', ')} to ${url.origin}${url.pathname}, and stores a secret`;
  if (await printIfDryRun(context, flags, { profile: context.profileName, change })) return;
  const start = await findStart(await context.clientInTracker(), flags.since);
  const secret = await requireSigningSecret(context.store);
  if (printer.format === 'table') await printer.printLine(`Secret: ${secret}`);
  else printer.warn(`Secret: ${secret}`);
  printer.note(
    `Forwarding ${patterns.join(', ')} to ${url.origin}${url.pathname}. The secret is stored in the profile. Press Ctrl-C to stop.`,
  );

  const session = { ...start, cursor: start.after, patterns, receiver: { url: url.href, secret, io } };
  const onFailure = ({ attempt }: FollowFailure) => {
    if (attempt === 1) printer.note('The server cannot be reached or is busy. Waiting for it.');
  };
  const events = forwardEvents(session, { ...flags, onFailure });
  if (printer.format !== 'table') await printer.printRecords(events, eventView);
  else for await (const event of events) await printEvent(printer, event);
  if (session.cursor !== undefined) printer.note(`Stopped. To continue here, add --since ${session.cursor}`);
}

/** One run of the command. */
interface ListenSession {
  readonly client: FinancialClient;
  readonly trackerId: string;
  readonly patterns: readonly string[];
  readonly receiver: Receiver;
  /**
   * The cursor after which the run continues. After an event is forwarded or filtered out, the run stores the cursor of this
   * event here. Undefined is the position before the first event of the tracker.
   */
  cursor: string | undefined;
}

/**
 * Returns a client for the current tracker, and the cursor after which `listen` starts. The client stays in this tracker
 * even if the user activates another tracker later.
 * @throws ValidationError (exit 2) or StateConflictError (exit 6) if the cursor in `since` cannot be used
 */
async function findStart(client: FinancialClient, since: string | undefined) {
  const after = since === 'beginning' ? undefined : since;
  const query = since === undefined ? ({ from: 'now' } as const) : { after, limit: 1 };
  const { meta } = await client.changes.list(query).withResponse();
  const trackerId = meta?.trackerId;
  if (meta?.feed === undefined || trackerId === null || trackerId === undefined) {
    const message = 'The response to a request for changes has no cursor.';
    throw new MalformedAnswerError({ message, idempotencyKey: null });
  }
  return { client: client.forTracker(trackerId), trackerId, after: since === undefined ? meta.feed.cursor : after };
}

/** Forwards the events that match `--events`, until Ctrl-C. Sends each event only once, even if the receiver fails. */
async function* forwardEvents(
  session: ListenSession,
  { payload, printJson, onFailure }: ListenFlags & { readonly onFailure: (failure: FollowFailure) => void },
): AsyncGenerator<ForwardedEvent> {
  const { client, trackerId, receiver } = session;
  const { interruption: signal } = receiver.io;
  const include = payload === 'record' ? payload : undefined;
  try {
    for await (const { change, cursor } of client.changes.follow({
      after: session.cursor,
      include,
      signal,
      onFailure,
    })) {
      const { sequence, id, type } = change;
      if (session.patterns.some((pattern) => matchesEventType(pattern, type))) {
        const body = toWebhookBody(change, { trackerId, payload });
        const delivery = await forward({ id, body }, receiver);
        yield { sequence, id, type, ...delivery, event: printJson === true ? JSON.parse(body) : null };
      }
      session.cursor = cursor;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function printEvent(printer: Printer, { type, status, error, durationMs, event }: ForwardedEvent): Promise<void> {
  await printer.printLine(`${type} → ${status ?? error} ${Math.round(durationMs)} ms`);
  if (event !== null) await printer.printJson(event, { indent: 2 });
}

function requireReceiverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const hasCredentials = url !== undefined && url.username + url.password !== '';
  if (url !== undefined && /^https?:$/.test(url.protocol) && !hasCredentials) return url;
  throw new UsageError(
    // A URL with credentials is not printed, because it may contain a password.
    hasCredentials
      ? 'The URL of --forward-to has a user or a password.'
      : `--forward-to "${text}" is not the URL of a receiver.`,
    'Use a URL such as http://127.0.0.1:3000/webhooks, without user and password.',
  );
}
