/** What the connections of each workload ask, by its id. */
export declare const conversations: Readonly<Record<string, unknown>>;
