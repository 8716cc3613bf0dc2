import { type PostgresProxy, startPostgresProxy } from './start-postgres-proxy.js';

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

/** An executed statement and its plan. Statements inside functions and statements that check foreign keys are captured too. */
export interface CapturedPlan {
  readonly statement: string;
  readonly plan: PlanNode;
}

/**
 * Starts a proxy whose connections load `auto_explain`. PostgreSQL then sends the plan of each statement in a notice. It is the plan
 * that PostgreSQL executed, for the actual parameter values, database role and settings.
 * @param options.planCacheMode whether PostgreSQL plans a prepared statement for the values of each execution, or once for all values
 */
export async function capturePlans(options: {
  readonly connectionString: string;
  readonly planCacheMode: 'force_custom_plan' | 'force_generic_plan';
  readonly onPlan: (captured: CapturedPlan) => void;
}): Promise<PostgresProxy> {
  const proxy = await startPostgresProxy({
    connectionString: options.connectionString,
    onConnection({ client, database }) {
      const readNotices = noticeReader((message) => {
        const captured = parsePlan(message);
        if (captured !== undefined) options.onPlan(captured);
      });
      return {
        onClientData: (bytes) => void database.write(bytes),
        onDatabaseData(bytes) {
          readNotices(bytes);
          client.write(bytes);
        },
      };
    },
  });
  const address = new URL(proxy.connectionString);
  address.searchParams.set('options', sessionOptions(options.planCacheMode));
  return { ...proxy, connectionString: address.href };
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

/**
 * Returns a function that reads the bytes of PostgreSQL's messages and reports each notice. A message is a type byte, a length and a
 * body. The length counts itself and the body, but not the type byte.
 */
function noticeReader(onNotice: (message: string) => void): (bytes: Buffer) => void {
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

/** Returns the message field of a notice. Each field is a letter and a null-terminated string. */
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

/** Returns a plan as text: its nodes with tables, indexes and index columns, without costs and values. */
export function describePlan(plan: PlanNode): string {
  return linesOf(plan, 0).join('\n');
}

/** Returns every node of a plan, each with its ancestors. The root is first in the list of nodes and in each list of ancestors. */
export function walkPlan(
  plan: PlanNode,
  above: readonly PlanNode[] = [],
): readonly { readonly node: PlanNode; readonly above: readonly PlanNode[] }[] {
  const below = (plan.Plans ?? []).flatMap((child) => walkPlan(child, [...above, plan]));
  return [{ node: plan, above }, ...below];
}

/** Returns the columns of the index condition of a node. */
export function lookedUpColumns({ 'Index Cond': condition = '' }: PlanNode): readonly string[] {
  // A value may contain any text, so values are removed. The column is on the left of the operator.
  const withoutValues = condition.replaceAll(/'(?:[^']|'')*'/g, '');
  // If the type of a column is a domain, PostgreSQL adds a cast to the base type of the domain, as in `(occurred_on)::date`.
  const withoutCasts = withoutValues.replaceAll(/\((\w+)\)::\w+/g, '$1');
  return [...withoutCasts.matchAll(/\((\w+(?:\([^()]*\))?) (?:=|<|>|<=|>=) /g)].flatMap(([, column = '']) =>
    column.startsWith('ROW(') ? column.slice('ROW('.length, -1).split(', ') : [column],
  );
}

function linesOf(node: PlanNode, depth: number): string[] {
  // A `Result` node without children reads the request context for a row-level security policy, once per statement. Such nodes are
  // omitted, because they occur under every scan and read no table.
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
