import { type Answer, type CallOptions, callsTo } from '../../../acceptance/support/call-api.js';
import type { Intent } from '../intents.js';
import { isSuccess } from '../retry-until-final.js';
import { newTally } from '../tally.js';
import type { TenantWithBooks } from '../tenants-with-books.js';

/** A write of a client. */
export interface Wanted {
  readonly intent: Intent;
  readonly tenant: TenantWithBooks;
}

/** The answers during a fault. */
export interface Heard {
  readonly counts: Record<'requests' | 'succeeded' | 'answered503' | 'slowestMs', number>;
  readonly wrong: Record<'unanswered' | 'otherAnswers' | 'answersNamingAnotherId', number>;
  /** The ids in the answers. */
  readonly acknowledged: Map<Intent, string>;
}

export function nothingHeard(): Heard {
  return {
    counts: newTally('requests', 'succeeded', 'answered503', 'slowestMs'),
    wrong: newTally('unanswered', 'otherAnswers', 'answersNamingAnotherId'),
    acknowledged: new Map(),
  };
}

const reads = ['GET /v1/financial/balances', 'GET /v1/financial/movements', 'GET /v1/financial/accounts'];

/**
 * Sends all writes once, the reads of all tenants and a log-in, all at once. Each must be answered with a success or
 * the 503 of the contract during the fault.
 */
export async function askAllAtOnce(
  origin: string,
  { wanted, login, heard }: { readonly wanted: readonly Wanted[]; readonly login: unknown; readonly heard: Heard },
): Promise<void> {
  const ask = (methodAndPath: string, options: CallOptions) =>
    hear(heard, () => callsTo(origin)(methodAndPath, options));
  const tenants = new Set(wanted.map(({ tenant }) => tenant));
  await Promise.all([
    ...wanted.map(async ({ intent, tenant }) => {
      const { methodAndPath, body } = intent;
      const answer = await ask(methodAndPath, { body, headers: { ...tenant.headers, ...intent.headers } });
      if (answer !== undefined && isSuccess(answer)) acknowledge(heard, intent, answer);
    }),
    ...[...tenants].flatMap(({ headers }) => reads.map((read) => ask(read, { headers }))),
    ask('POST /v1/identity/sessions', { body: login }),
  ]);
}

/** Stores the id of the answer. */
export function acknowledge({ acknowledged, wrong }: Heard, intent: Intent, { data }: Answer): string {
  const id = intent.idOf(data);
  if ((acknowledged.get(intent) ?? id) !== id) wrong.answersNamingAnotherId += 1;
  acknowledged.set(intent, id);
  return id;
}

async function hear({ counts, wrong }: Heard, send: () => Promise<Answer>): Promise<Answer | undefined> {
  const sentAtMs = performance.now();
  counts.requests += 1;
  // A body that is not JSON counts as no answer.
  const answer = await send().catch(() => undefined);
  counts.slowestMs = Math.max(counts.slowestMs, Math.round(performance.now() - sentAtMs));
  if (answer === undefined) wrong.unanswered += 1;
  else if (isSuccess(answer)) counts.succeeded += 1;
  else if (isUnavailable(answer)) counts.answered503 += 1;
  else wrong.otherAnswers += 1;
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
