import {
  type Arguments,
  type CallArguments,
  parseArguments,
  parseWriteArguments,
  type WriteArguments,
} from './arguments.js';
import type { ToolResult } from './call-read-tool.js';
import { createConfirm, type Intent, isConfirmOf, keyOfConfirm } from './confirm.js';
import type { OperationResponse, Refused } from './executor.js';
import { refused } from './refusals.js';
import type { Session } from './session.js';
import { countFittingRows, cutLists, textLengthMax } from './size-limits.js';
import type { WriteTool } from './tools/tool.js';

/** The preview of a write that is not recorded yet, and the value `confirm`, which the caller sends back to record the write. */
export interface Preview {
  readonly ok: 'preview';
  readonly confirm: string;
  readonly content: ToolResult['content'];
}

/** A write that failed, or whose outcome is unknown. If `confirm` is present, the caller can safely repeat the write with it. */
export type RefusedWrite = Refused & { readonly confirm?: string };

/** A write with its checked arguments. */
interface Write {
  readonly session: Session;
  readonly tool: WriteTool;
  readonly read: CallArguments;
  readonly given: WriteArguments;
  /** All arguments except `confirm` and `trackerId`. A `confirm` is valid only for the arguments for which it was created. */
  readonly bound: Arguments;
  /** Undefined for operations without `If-Match`. */
  readonly version: Version | undefined;
}

/**
 * The ETag for `If-Match`, and the tracker of the record. If the record does not have the version that the caller passed, or cannot be
 * read, the ETag is `otherVersion`, which no record has. `refusal` is the reason why the record could not be read.
 */
interface Version {
  readonly etag: string;
  readonly trackerId: string | undefined;
  readonly refusal: Refused | undefined;
}

/**
 * Calls a tool that writes. Without `confirm`, the call is a dry run that returns a preview and a new `confirm`, except in confirm
 * mode `none`, which records the write at once. With `confirm`, the write is recorded under an idempotency key derived from
 * `confirm`, so that a repeated call is a replay: it does not record the write again.
 * @param confirmed the `confirm` of the preview that the user has accepted; undefined if the user has not been asked
 * @param asksUser true if the client must prompt its user. Then a `confirm` from the model is not enough: the user must accept the
 *   preview. Only a write that is already recorded is replayed without a prompt.
 * @source docs/additions.md, section 6
 */
export async function callWriteTool(
  session: Session,
  tool: WriteTool,
  call: { readonly given: Arguments; readonly confirmed: string | undefined; readonly asksUser: boolean },
): Promise<ToolResult | Preview | RefusedWrite> {
  const { given, confirmed, asksUser } = call;
  const read = parseArguments(tool, given);
  if ('ok' in read) return read;
  const parts = parseWriteArguments(tool, read.others);
  if ('ok' in parts) return parts;
  const { confirm: _, trackerId: __, ...bound } = given;
  const version = await readVersion(session, tool, { ...read, version: parts.version });
  const write: Write = { session, tool, read, given: parts, bound, version };
  if (confirmed !== undefined) return record(write, confirmed);
  if (parts.confirm !== undefined) return asksUser ? previewAgain(write, parts.confirm) : record(write, parts.confirm);
  return session.confirmMode === 'none' ? recordAtOnce(write) : preview(write);
}

async function preview(write: Write): Promise<Preview | Refused> {
  const response = await send(write, { dryRun: true });
  if (!response.ok) return chooseRefusal(write, response);
  const confirm = createConfirm(intentOf(write, response.meta.trackerId as string));
  const { effects = null } = response.meta;
  return { ok: 'preview', confirm, content: toContent(response.data, { effects, confirm }) };
}

/**
 * Handles a `confirm` that the client sent although its user has not accepted the preview: previews the write again. If the write
 * was already recorded, replays it instead.
 */
async function previewAgain(write: Write, confirm: string): Promise<ToolResult | Preview | RefusedWrite> {
  const key = keyOfConfirm(confirm);
  const trackerId = await requireTrackerOf(write, confirm);
  if (typeof trackerId !== 'string') return trackerId;
  const response = await send(write, { key, trackerId, dryRun: true });
  if (!response.ok) return chooseRefusal(write, response);
  if (response.meta.idempotentReplay === true) return record(write, confirm);
  const { effects = null } = response.meta;
  return { ok: 'preview', confirm, content: toContent(response.data, { effects, confirm }) };
}

/** Records a confirmed write, always in the tracker that the confirmation is bound to. */
async function record(write: Write, confirm: string): Promise<ToolResult | RefusedWrite> {
  const key = keyOfConfirm(confirm);
  const trackerId = await requireTrackerOf(write, confirm);
  if (typeof trackerId !== 'string') return trackerId;
  const response = await send(write, { key, trackerId });
  if (!response.ok) return { ...chooseRefusal(write, response), confirm };
  const replayed = response.meta.idempotentReplay === true ? { replayed: true } : {};
  return { ok: true, content: toContent(response.data, replayed) };
}

/** Records a write without a preview, under the key of a new confirmation. */
async function recordAtOnce(write: Write): Promise<ToolResult | Refused> {
  const key = keyOfConfirm(createConfirm(intentOf(write, write.session.namedTracker(write.read.trackerId) ?? '')));
  const response = await send(write, { key });
  return response.ok ? { ok: true, content: toContent(response.data, {}) } : chooseRefusal(write, response);
}

/**
 * Returns the tracker of a confirmation. Returns a refusal if the tracker cannot be determined, or if the confirmation belongs to
 * another write.
 */
async function requireTrackerOf(write: Write, confirm: string): Promise<string | Refused> {
  const resolved = await resolveTracker(write, keyOfConfirm(confirm));
  if (typeof resolved !== 'string' || isConfirmOf(confirm, intentOf(write, resolved))) return resolved;
  const message =
    'The value of confirm is unknown, or belongs to other arguments, another tool or another tracker. Nothing was recorded.';
  return refused('CONFIRM_MISMATCH', message);
}

/**
 * Returns the tracker of the write: the tracker that the call names, else the tracker of the session, else the tracker of the record,
 * else the tracker that a dry run returns.
 */
async function resolveTracker(write: Write, key: string): Promise<string | Refused> {
  const named = write.session.namedTracker(write.read.trackerId) ?? write.version?.trackerId;
  if (named !== undefined) return named;
  const response = await send(write, { key, dryRun: true });
  return response.ok ? (response.meta.trackerId as string) : chooseRefusal(write, response);
}

/**
 * An ETag that no record has. The API replays a write with this ETag if the write is already recorded. Otherwise it refuses the write
 * with VERSION_CONFLICT.
 */
const otherVersion = '"another-version"';

async function readVersion(
  session: Session,
  tool: WriteTool,
  { trackerId, pathParameters, version }: CallArguments & { readonly version: number | undefined },
): Promise<Version | undefined> {
  if (tool.versionOf === undefined) return undefined;
  const { call, versionsIn } = tool.versionOf;
  const response = await session.execute({ call, trackerId, pathParameters, query: {} });
  if (!response.ok) return { etag: otherVersion, trackerId: undefined, refusal: response };
  const isCurrent = versionsIn(response.data as never).every((current) => current === version);
  const etag = isCurrent && response.etag !== null ? response.etag : otherVersion;
  return { etag, trackerId: response.meta.trackerId as string, refusal: undefined };
}

function send(
  { session, tool, read, given, version }: Write,
  options: { readonly key?: string; readonly trackerId?: string; readonly dryRun?: true },
): Promise<OperationResponse> {
  return session.execute({
    call: tool.call,
    pathParameters: read.pathParameters,
    query: options.dryRun === true ? { dryRun: 'true' } : {},
    body: given.body,
    trackerId: options.trackerId ?? read.trackerId,
    idempotencyKey: options.key,
    ifMatch: version?.etag,
  });
}

/** Returns the refusal of a write. If the version could not be read, returns the refusal of that read instead of VERSION_CONFLICT. */
function chooseRefusal({ version }: Write, response: Refused): Refused {
  return response.error.code === 'VERSION_CONFLICT' && version?.refusal !== undefined ? version.refusal : response;
}

function intentOf({ tool, bound }: Write, trackerId: string): Intent {
  return { tool: tool.name, trackerId, arguments: bound };
}

/**
 * Returns the content of the result or the preview of a write. If the content is too long, omits the last rows, or the last items of
 * the lists in a record. `omittedRows` is the number of omitted rows or items.
 */
function toContent(data: unknown, others: Readonly<Record<string, unknown>>): ToolResult['content'] {
  const rest = { nextCursor: null, ...others };
  const lengthMax =
    textLengthMax - JSON.stringify({ data: null, ...rest, omittedRows: Number.MAX_SAFE_INTEGER }).length;
  if (JSON.stringify(data).length <= lengthMax) return { data, ...rest };
  if (!Array.isArray(data)) {
    const { value, omittedRows } = cutLists(data, lengthMax);
    return { data: value, ...rest, omittedRows };
  }
  const count = countFittingRows(data, { data: [], ...rest, omittedRows: data.length });
  return { data: data.slice(0, count), ...rest, omittedRows: data.length - count };
}
