/** The requests that the connections of a workload send, by the id of the workload. */
export declare const conversations: Readonly<Record<string, unknown>>;
