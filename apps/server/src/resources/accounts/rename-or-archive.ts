import type { recordStatuses } from '@centavo/contracts';
import { notFound } from '../../api-error.js';

type Status = (typeof recordStatuses)[number];
type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

/** What an account or a cashbox is called and whether it is in use, with what that changes; nothing when `change` is empty. */
export interface NameAndStatus {
  readonly name: string;
  readonly status: Status;
  readonly change: Changes;
}

/**
 * Decides a new name or status of an account or cashbox. Pure.
 * Archiving keeps the record with its movements and balance, and active again is always possible.
 * @throws NOT_FOUND (404) for a record that is not in the tracker. Source: contract, section 9
 */
export function decideNameAndStatus(request: {
  readonly body: { readonly name?: string | undefined; readonly status?: Status | undefined };
  readonly current: { readonly name: string; readonly status: Status } | undefined;
}): NameAndStatus {
  const { body, current } = request;
  if (current === undefined) throw notFound();
  const { name = current.name, status = current.status } = body;
  const change = {
    ...(name === current.name ? {} : { name: [current.name, name] as const }),
    ...(status === current.status ? {} : { status: [current.status, status] as const }),
  };
  return { name, status, change };
}
