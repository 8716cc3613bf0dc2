import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A node of a plan, as PostgreSQL prints it in JSON. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly Operation?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** A statement that was run, also one inside a function or of a foreign key, and how. */
export interface ToldPlan {
  readonly statement: string;
  readonly plan: PlanNode;
}

/** A proxy in front of PostgreSQL that hears by what plans it runs what it is asked. */
export interface PlanListener {
  readonly connectionString: string;
  close(): Promise<void>;
}

/**
 * Starts the proxy. Its connections load `auto_explain`, which tells each plan in a notice before the answer, so the plans
 * are those that were run: with the bindings, the role and the context of the moment.
 * @param options.planCacheMode whether a prepared statement is planned for its values, or once for all
 */
export async function listenForPlans(options: {
  readonly connectionString: string;
  readonly planCacheMode: 'force_custom_plan' | 'force_generic_plan';
  readonly onPlan: (told: ToldPlan) => void;
}): Promise<PlanListener> {
  const upstream = new URL(options.connectionString);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname);
    const hear = hearNotices((message) => {
      const told = parsePlan(message);
      if (told !== undefined) options.onPlan(told);
    });
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        database.destroy();
        sockets.delete(socket);
      });
    }
    client.on('data', (bytes) => void database.write(bytes));
    database.on('data', (bytes) => {
      hear(bytes);
      client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(options.connectionString);
  address.port = String((server.address() as AddressInfo).port);
  address.searchParams.set('options', sessionOptions(options.planCacheMode));
  return {
    connectionString: address.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function sessionOptions(planCacheMode: string): string {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    plan_cache_mode: planCacheMode,
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Reads the messages of PostgreSQL: a letter, a length that counts itself, and a body. */
function hearNotices(onNotice: (message: string) => void): (bytes: Buffer) => void {
  let received = Buffer.alloc(0);
  return (bytes) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= 5) {
      const length = 1 + received.readUInt32BE(1);
      if (received.length < length) return;
      if (received[0] === 'N'.charCodeAt(0)) onNotice(messageOf(received.subarray(5, length)));
      received = received.subarray(length);
    }
  };
}

/** Of the fields of a notice, each a letter and a text, the one that is the message. */
function messageOf(fields: Buffer): string {
  const texts = fields.toString('utf8').split('\0');
  return texts.find((text) => text.startsWith('M'))?.slice(1) ?? '';
}

function parsePlan(message: string): ToldPlan | undefined {
  const begin = message.indexOf('{');
  if (!/^duration: .* plan:\s*$/s.test(message.slice(0, begin))) return undefined;
  const { 'Query Text': statement, Plan: plan } = JSON.parse(message.slice(begin)) as {
    'Query Text': string;
    Plan: PlanNode;
  };
  return { statement, plan };
}
