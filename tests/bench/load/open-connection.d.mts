/** A connection that asks one thing after the other. */
export interface Connection {
  /**
   * Sends a whole request and waits for the whole answer.
   * @returns status and head, as they came
   * @throws Error when the server closes the connection first
   */
  ask(text: string): Promise<{ readonly status: number; readonly head: string }>;
  close(): void;
}

/** Opens a connection to `http://127.0.0.1:8080`. */
export declare function openConnection(origin: string): Promise<Connection>;
