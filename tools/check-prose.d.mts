export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}
export interface WordException {
  readonly path: string;
  readonly word: string;
  readonly reason: string;
}
export function findInProse(file: { readonly path: string; readonly source: string }): Promise<readonly Finding[]>;
export function applyExceptions(
  findings: readonly Finding[],
  exceptions: readonly WordException[],
): { readonly findings: readonly Finding[]; readonly unused: readonly WordException[] };
