export function reasonNotToPublish(state: {
  readonly hasChangesets: boolean;
  readonly version: string;
  readonly lastSubject: string;
}): string | null;
export function subjectOf(version: string): string;
export function isPublished(view: { readonly status: number | null; readonly stdout: string }): boolean;
export function planProvenance(release: {
  readonly manifests: readonly { readonly name: string; readonly repository?: unknown }[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}): { readonly isPossible: boolean; readonly note: string };
