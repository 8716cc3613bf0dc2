/** A connection for sequential requests. */
export interface Connection {
  /**
   * Sends a complete request and waits for the complete response.
   * @returns the status, and the status line with the headers as text
   * @throws Error if the server closes the connection first
   */
  send(text: string): Promise<{ readonly status: number; readonly head: string }>;
  close(): void;
}

/** Opens a connection to `http://127.0.0.1:8080`. */
export declare function openConnection(origin: string): Promise<Connection>;
