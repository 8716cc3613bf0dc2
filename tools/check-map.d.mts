export interface ImportDirections {
  readonly packages: Readonly<Record<string, readonly string[]>>;
  readonly server: Readonly<
    Record<string, { readonly imports: readonly string[]; readonly types?: readonly string[] }>
  >;
  readonly resources: Readonly<Record<string, readonly string[]>>;
  readonly importOfCli: Readonly<Record<string, readonly string[]>>;
  readonly csv: Readonly<Record<string, readonly string[]>>;
}
export function findMapMistakes(map: {
  readonly text: string;
  readonly paths: readonly string[];
  readonly directions: ImportDirections;
}): string[];
export function formatDirections(directions: ImportDirections): string;
