import ts from 'typescript';

const fence = { opening: '```ts\n', closing: '\n```' };

/**
 * Returns a report in which the members of each union of literals and of each zod enum are sorted. The type of a zod enum is an object
 * type in which each value equals its key, such as `{ a: "a"; b: "b" }`. The compiler prints the members in the order in which it found
 * them. This order may differ between two builds of the same sources.
 */
export function inCanonicalOrder(report: string): string {
  const start = report.indexOf(fence.opening) + fence.opening.length;
  const end = report.lastIndexOf(fence.closing);
  if (start < fence.opening.length || end < start) throw new Error('The report contains no code.');
  const code = report.slice(start, end);
  const pieces: string[] = [];
  let written = 0;
  for (const members of unorderedMembersIn(ts.createSourceFile('report.ts', code, ts.ScriptTarget.ES2022))) {
    const texts = members.map((member) => code.slice(member.start, member.end)).sort();
    for (const [index, member] of members.entries()) {
      pieces.push(code.slice(written, member.start), texts[index] ?? '');
      written = member.end;
    }
  }
  return report.slice(0, start) + pieces.join('') + code.slice(written) + report.slice(end);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the positions of the members of each union of literals and of each enum's object type, in the order of the file. */
function unorderedMembersIn(file: ts.SourceFile): Span[][] {
  const found: Span[][] = [];
  const visit = (node: ts.Node): void => {
    const members = unorderedMembersOf(node, file);
    if (members === null) return void ts.forEachChild(node, visit);
    found.push(members.map((member) => ({ start: member.getStart(file), end: member.getEnd() })));
  };
  visit(file);
  return found;
}

function unorderedMembersOf(node: ts.Node, file: ts.SourceFile): readonly ts.Node[] | null {
  if (ts.isUnionTypeNode(node)) return node.types.every(isLiteral) ? node.types : null;
  if (ts.isTypeLiteralNode(node))
    return node.members.every((member) => isEnumMember(member, file)) ? node.members : null;
  return null;
}

function isLiteral(node: ts.TypeNode): boolean {
  return ts.isLiteralTypeNode(node) || node.kind === ts.SyntaxKind.UndefinedKeyword;
}

/** Returns whether the value of a property equals its key, such as `a: "a"`. */
function isEnumMember(member: ts.TypeElement, file: ts.SourceFile): boolean {
  if (!ts.isPropertySignature(member) || member.type === undefined || !ts.isLiteralTypeNode(member.type)) return false;
  const name = member.name.getText(file);
  return ts.isStringLiteral(member.type.literal) && name.replace(/^(["'])(.*)\1$/, '$2') === member.type.literal.text;
}
