import type { Config } from '../config/env.js';
import type { Demo } from './demo.js';

/** The API being served, by this process or by others that it watches over. */
export interface Serving {
  readonly origin: string;
  readonly demo: Demo | undefined;
  /** Resolves with what to tell the operator when it is not served any more although nobody asked for that. */
  readonly untilLost: () => Promise<string>;
  /** Finishes what was begun, and takes nothing new. */
  readonly stop: () => Promise<void>;
}

/** Begins to serve a migrated database; where that fails nothing is left behind. */
export type Serve = (options: {
  readonly config: Config;
  readonly connectionString: string;
  /** Whether there were users before anybody could register. */
  readonly hasUsers: boolean;
}) => Promise<Serving>;
