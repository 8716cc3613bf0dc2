/** Returns the commit of the sources in a folder: `ed963af`, or `ed963af, changed` if they differ from that commit; null without git. */
export declare function describeCommit(root: string): string | null;
