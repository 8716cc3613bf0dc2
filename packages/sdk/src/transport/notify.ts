/** Calls a hook. Ignores its synchronous and asynchronous errors, because a failing hook must not make a call fail. */
export function notify<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  if (hook === undefined) return;
  try {
    Promise.resolve(hook(event)).catch(() => {});
  } catch {
    // Ignored, as described above.
  }
}
