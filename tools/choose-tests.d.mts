export interface TestFile {
  readonly workspace: string;
  readonly path: string;
}
export interface ChosenTests {
  readonly workspaces: string[];
  readonly hasPackageTests: boolean;
  readonly hasProgramTests: boolean;
  readonly longTests: { readonly path: string; readonly command: string }[];
  readonly words: string[];
}
export function chooseTests(request: {
  readonly root: string;
  readonly workspaces: readonly string[];
  readonly words: readonly string[];
}): ChosenTests;
export function chooseFiles(request: {
  readonly files: readonly TestFile[];
  readonly words: readonly string[];
  readonly proofsOfCommit: readonly string[];
}): ChosenTests;
export function findFailures(output: string): string[];
