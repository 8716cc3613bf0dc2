/** The requests of the connections of each workload, by its id. */
export declare const conversations: Readonly<Record<string, unknown>>;
