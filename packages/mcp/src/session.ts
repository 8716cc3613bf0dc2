import { calls, type Scope } from '@centavo/contracts/calls';
import type { Executor, OperationRequest, OperationResponse, Refused } from './executor.js';
import { allTools, toolsOfScopes } from './tools/index.js';
import type { Tool } from './tools/tool.js';

/**
 * How writes are confirmed. `text`: by a second call. `elicit`: by the user of the client. `auto`: by the user if the client can
 * ask its user, otherwise by a second call. `none`: writes are recorded without a confirmation.
 * @source docs/additions.md, section 6
 */
export const confirmModes = ['auto', 'elicit', 'text', 'none'] as const;

export type ConfirmMode = (typeof confirmModes)[number];

export interface SessionOptions {
  readonly executor: Executor;
  /** True if the server offers tools that write. */
  readonly writes: boolean;
  /** The tracker of calls that do not name a tracker. */
  readonly trackerId?: string | undefined;
  readonly confirmMode: ConfirmMode;
}

/** The tools of one caller. A session stores no state between two calls. */
export class Session {
  readonly confirmMode: ConfirmMode;
  readonly #executor: Executor;
  readonly #trackerId: string | undefined;
  readonly #tools: readonly Tool[];

  constructor({ executor, writes, trackerId, confirmMode }: SessionOptions) {
    this.confirmMode = confirmMode;
    this.#executor = executor;
    this.#trackerId = trackerId;
    this.#tools = allTools.filter(({ kind }) => writes || kind === 'read');
  }

  /** Returns the tools that the scopes of the caller allow. */
  async listTools(): Promise<readonly Tool[]> {
    const scopes: readonly Scope[] | null = await this.#executor.readScopes();
    return toolsOfScopes(this.#tools, scopes);
  }

  /** Returns the tool with this name. The API checks whether the caller may use the tool. */
  findTool(name: string): Tool | undefined {
    return this.#tools.find((tool) => tool.name === name);
  }

  /** Returns the id of the tracker that a call names, else the id of the session's tracker, else undefined. */
  namedTracker(trackerId: string | undefined): string | undefined {
    return (trackerId ?? this.#trackerId)?.toLowerCase();
  }

  /** Runs an operation in the tracker that the request names, else in the tracker of the session. */
  async execute(request: OperationRequest): Promise<OperationResponse> {
    const trackerId = this.namedTracker(request.trackerId);
    const response = await this.#executor.execute({ ...request, trackerId });
    return response.ok || !needsTracker(response) ? response : this.#withTrackers(response);
  }

  /** Returns a copy of the refusal with the ids and names of the trackers of the caller, because a model cannot guess an id. */
  async #withTrackers({ isOutcomeUnknown, error }: Refused): Promise<Refused> {
    const { listTrackers } = calls;
    const response = await this.#executor.execute({ call: listTrackers, pathParameters: {}, query: {} });
    const trackers = response.ok
      ? (response.data as { id: string; name: string }[]).map(({ id, name }) => ({ id, name }))
      : undefined;
    const issue = {
      path: 'trackerId',
      code: 'TRACKER_HEADER_REQUIRED',
      message: 'This credential can use several trackers. Pass the id of one as trackerId.',
    };
    const details = { issues: [issue], ...(trackers === undefined ? {} : { trackers }) };
    return { ok: false, isOutcomeUnknown, error: { ...error, details } };
  }
}

function needsTracker({ error: { details } }: Refused): boolean {
  const { issues } = details as { issues?: readonly { code: string }[] };
  return issues?.some(({ code }) => code === 'TRACKER_HEADER_REQUIRED') ?? false;
}
