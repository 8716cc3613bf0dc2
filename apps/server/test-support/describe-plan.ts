import type { PlanNode } from './capture-plans.js';

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
