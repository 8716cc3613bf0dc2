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
export interface CapturedPlan {
  readonly statement: string;
  readonly plan: PlanNode;
}

/** A proxy in front of PostgreSQL that hears by what plans it runs what it is asked. */
export interface PlanCapture {
  readonly connectionString: string;
  close(): Promise<void>;
}

/**
 * Starts the proxy. Its connections load `auto_explain`, which tells each plan in a notice before the answer, so the plans
 * are those that were run: with the bindings, the role and the context of the moment.
 * @param options.planCacheMode whether a prepared statement is planned for its values, or once for all
 */
export async function capturePlans(options: {
  readonly connectionString: string;
  readonly planCacheMode: 'force_custom_plan' | 'force_generic_plan';
  readonly onPlan: (told: CapturedPlan) => void;
}): Promise<PlanCapture> {
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

function parsePlan(message: string): CapturedPlan | undefined {
  const begin = message.indexOf('{');
  if (!/^duration: .* plan:\s*$/s.test(message.slice(0, begin))) return undefined;
  const { 'Query Text': statement, Plan: plan } = JSON.parse(message.slice(begin)) as {
    'Query Text': string;
    Plan: PlanNode;
  };
  return { statement, plan };
}

/** A plan for people: its nodes with tables, indexes and the columns looked up in them; no costs and no values. */
export function describePlan(plan: PlanNode): string {
  return linesOf(plan, 0).join('\n');
}

/** Every node of a plan with those above it, the topmost first. */
export function walkPlan(
  plan: PlanNode,
  above: readonly PlanNode[] = [],
): readonly { readonly node: PlanNode; readonly above: readonly PlanNode[] }[] {
  const below = (plan.Plans ?? []).flatMap((child) => walkPlan(child, [...above, plan]));
  return [{ node: plan, above }, ...below];
}

/** The columns that an index is entered with. */
export function lookedUpColumns({ 'Index Cond': condition = '' }: PlanNode): readonly string[] {
  // Values may hold anything; what is compared with them stands to the left.
  const withoutValues = condition.replaceAll(/'(?:[^']|'')*'/g, '');
  return [...withoutValues.matchAll(/\((\w+(?:\([^()]*\))?) (?:=|<|>|<=|>=) /g)].flatMap(([, column = '']) =>
    column.startsWith('ROW(') ? column.slice('ROW('.length, -1).split(', ') : [column],
  );
}

function linesOf(node: PlanNode, depth: number): string[] {
  // What a policy asks once a statement, such as who is calling: it stands beneath every scan, and reads nothing here.
  if (node['Node Type'] === 'Result' && depth > 0 && node.Plans === undefined) return [];
  const relation = node['Relation Name'];
  const columns = lookedUpColumns(node);
  const words = [
    /^(?:Init|Sub)Plan$/.test(node['Parent Relationship'] ?? '') ? `${node['Parent Relationship']}:` : '',
    node.Operation ?? node['Node Type'],
    node['Index Name'] === undefined ? '' : `by ${node['Index Name']}`,
    columns.length === 0 ? '' : `(${columns.join(', ')})`,
    relation === undefined || node['Index Name'] !== undefined ? '' : `on ${relation}`,
  ];
  const line = `${'  '.repeat(depth)}${words.filter((word) => word !== '').join(' ')}`;
  return [line, ...(node.Plans ?? []).flatMap((child) => linesOf(child, depth + 1))];
}
