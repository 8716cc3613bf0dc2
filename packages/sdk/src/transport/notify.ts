/** Tells an observer. What it throws, now or later, is ignored: the fate of a write never hangs on a log. */
export function notify<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  if (hook === undefined) return;
  try {
    Promise.resolve(hook(event)).catch(() => {});
  } catch {
    // As promised above.
  }
}
