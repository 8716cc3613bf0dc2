import { type Answer, type CallOptions, callsTo } from '../../../acceptance/support/call-api.js';
import type { PreparedWrite } from '../prepared-writes.js';
import { isSuccess } from '../retry-until-final.js';
import { newTally } from '../tally.js';
import type { TenantWithAccounts } from '../tenants-with-accounts.js';

/** A write of a client. */
export interface PlannedWrite {
  readonly prepared: PreparedWrite;
  readonly tenant: TenantWithAccounts;
}

/** The responses during a fault. */
export interface FaultAnswers {
  readonly counts: Record<'requests' | 'succeeded' | 'answered503' | 'slowestMs', number>;
  readonly violations: Record<'unanswered' | 'otherAnswers' | 'answersNamingAnotherId', number>;
  /** The ids in the responses. */
  readonly acknowledged: Map<PreparedWrite, string>;
}

export function noAnswers(): FaultAnswers {
  return {
    counts: newTally('requests', 'succeeded', 'answered503', 'slowestMs'),
    violations: newTally('unanswered', 'otherAnswers', 'answersNamingAnotherId'),
    acknowledged: new Map(),
  };
}

const reads = ['GET /v1/financial/balances', 'GET /v1/financial/movements', 'GET /v1/financial/accounts'];

/**
 * Concurrently sends all writes once, the reads of all tenants and a login. During the fault each response must be a success or
 * the 503 that the API contract documents.
 */
export async function sendAllAtOnce(
  origin: string,
  {
    writes,
    login,
    answers,
  }: { readonly writes: readonly PlannedWrite[]; readonly login: unknown; readonly answers: FaultAnswers },
): Promise<void> {
  const send = (methodAndPath: string, options: CallOptions) =>
    countAnswer(answers, () => callsTo(origin)(methodAndPath, options));
  const tenants = new Set(writes.map(({ tenant }) => tenant));
  await Promise.all([
    ...writes.map(async ({ prepared, tenant }) => {
      const { methodAndPath, body } = prepared;
      const answer = await send(methodAndPath, { body, headers: { ...tenant.headers, ...prepared.headers } });
      if (answer !== undefined && isSuccess(answer)) acknowledge(answers, prepared, answer);
    }),
    ...[...tenants].flatMap(({ headers }) => reads.map((read) => send(read, { headers }))),
    send('POST /v1/identity/sessions', { body: login }),
  ]);
}

/** Stores and returns the id in the response. Counts a violation if an earlier response to the same write had another id. */
export function acknowledge(
  { acknowledged, violations }: FaultAnswers,
  prepared: PreparedWrite,
  { data }: Answer,
): string {
  const id = prepared.idOf(data);
  if ((acknowledged.get(prepared) ?? id) !== id) violations.answersNamingAnotherId += 1;
  acknowledged.set(prepared, id);
  return id;
}

async function countAnswer(
  { counts, violations }: FaultAnswers,
  send: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const sentAtMs = performance.now();
  counts.requests += 1;
  // An error, such as a body that is not JSON, counts as no response.
  const answer = await send().catch(() => undefined);
  counts.slowestMs = Math.max(counts.slowestMs, Math.round(performance.now() - sentAtMs));
  if (answer === undefined) violations.unanswered += 1;
  else if (isSuccess(answer)) counts.succeeded += 1;
  else if (isUnavailable(answer)) counts.answered503 += 1;
  else violations.otherAnswers += 1;
  return answer;
}

function isUnavailable({ status, error, meta, headers }: Answer): boolean {
  return (
    status === 503 &&
    error?.code === 'SERVICE_UNAVAILABLE' &&
    typeof error.message === 'string' &&
    typeof meta?.requestId === 'string' &&
    Number(headers.get('Retry-After')) > 0
  );
}
