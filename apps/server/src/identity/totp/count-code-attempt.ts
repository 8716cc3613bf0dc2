/** Five wrong codes in 15 minutes. Source: contract, section 8. */
export const codeFailureLimit = { limit: 5, windowSeconds: 15 * 60 } as const;

/**
 * Decides whether a code may be tried, and counts the attempt as if it were to fail; success takes the count back. Five
 * failures within any 15 minutes fill the window, and while it is full not even a right code is looked at. Pure.
 * @param failedAt when wrong codes were given, oldest first
 */
export function countCodeAttempt(
  failedAt: readonly Date[],
  now: Date,
):
  | { readonly isAllowed: true; readonly failedAtIfWrong: readonly Date[] }
  | { readonly isAllowed: false; readonly retryAfterSeconds: number } {
  const { limit, windowSeconds } = codeFailureLimit;
  const windowMs = windowSeconds * 1000;
  const recent = failedAt.filter((failure) => failure.getTime() + windowMs > now.getTime());
  const [oldest] = recent.slice(-limit);
  if (recent.length < limit || oldest === undefined) return { isAllowed: true, failedAtIfWrong: [...recent, now] };
  return { isAllowed: false, retryAfterSeconds: Math.ceil((oldest.getTime() + windowMs - now.getTime()) / 1000) };
}
