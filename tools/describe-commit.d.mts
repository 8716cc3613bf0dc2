/** The commit that the sources in a folder are at: `ed963af`; `ed963af, changed` where they differ; null where git does not tell. */
export declare function describeCommit(root: string): string | null;
